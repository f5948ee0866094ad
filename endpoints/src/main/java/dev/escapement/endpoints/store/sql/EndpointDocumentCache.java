package dev.escapement.endpoints.store.sql;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.common.Json;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.EndpointOverrides;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Caches parsed documents, so that an unchanged endpoint is not parsed for each of its runs. */
final class EndpointDocumentCache {

    record ParsedDocument(long revision, EndpointDefinition definition, EndpointOverrides overrides) {}

    private static final int MAX_ENTRIES = 20_000;

    /** Larger documents are not cached, which limits the cache to a few hundred megabytes. */
    private static final int MAX_DOCUMENT_LENGTH = 16_384;

    private final Map<String, ParsedDocument> entries = new ConcurrentHashMap<>();

    ParsedDocument get(String id, long revision, String document) {
        ParsedDocument cached = entries.get(id);
        if (cached != null && cached.revision() == revision) {
            return cached;
        }
        Endpoint stored = Json.read(document, Endpoint.class);
        ParsedDocument parsed = new ParsedDocument(
                revision, EndpointMapper.readDefinition(stored), EndpointMapper.readOverrides(stored));
        if (document.length() <= MAX_DOCUMENT_LENGTH) {
            // Evicts any entry, not the oldest: endpoints are read in turn, so LRU would evict each just before its
            // use.
            Iterator<String> any = entries.keySet().iterator();
            if (entries.size() >= MAX_ENTRIES && any.hasNext()) {
                entries.remove(any.next());
            }
            entries.put(id, parsed);
        }
        return parsed;
    }
}
