package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.StoredEndpointCodec;
import dev.escapement.storage.jdbc.DocumentJson;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What documents say, so that an endpoint that nobody changes is not parsed for each of its runs. */
final class EndpointDocumentCache {

    /** What people say of an endpoint. */
    record ParsedDocument(long revision, EndpointDefinition definition, EndpointOverrides steering) {}

    private static final int MAX_ENTRIES = 20_000;

    /** So that even the most need no more than a few hundred megabytes. */
    private static final int MAX_DOCUMENT_LENGTH = 16_384;

    private final Map<String, ParsedDocument> entries = new ConcurrentHashMap<>();

    ParsedDocument get(String id, long revision, String document) {
        ParsedDocument found = entries.get(id);
        if (found != null && found.revision() == revision) {
            return found;
        }
        Map<String, Object> tree = DocumentJson.read(document);
        ParsedDocument parsed = new ParsedDocument(
                revision, StoredEndpointCodec.readDefinition(tree), StoredEndpointCodec.readOverrides(tree));
        if (document.length() <= MAX_DOCUMENT_LENGTH) {
            // Any will do: who is looked up in turns would never be found again if the oldest had to go.
            Iterator<String> any = entries.keySet().iterator();
            if (entries.size() >= MAX_ENTRIES && any.hasNext()) {
                entries.remove(any.next());
            }
            entries.put(id, parsed);
        }
        return parsed;
    }
}
