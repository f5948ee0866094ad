package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Steering;
import dev.escapement.endpoints.StoredDocument;
import dev.escapement.storage.jdbc.DocumentJson;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What documents say, so that an endpoint that nobody changes is not parsed for each of its runs. */
final class ParseCache {

    /** What people say of an endpoint. */
    record Parsed(long revision, Definition definition, Steering steering) {}

    private static final int MOST = 20_000;

    /** So that even the most need no more than a few hundred megabytes. */
    private static final int LONGEST = 16_384;

    private final Map<String, Parsed> kept = new ConcurrentHashMap<>();

    Parsed of(String id, long revision, String document) {
        Parsed found = kept.get(id);
        if (found != null && found.revision() == revision) {
            return found;
        }
        Map<String, Object> tree = DocumentJson.read(document);
        Parsed parsed = new Parsed(revision, StoredDocument.definition(tree), StoredDocument.steering(tree));
        if (document.length() <= LONGEST) {
            // Any will do: who is looked up in turns would never be found again if the oldest had to go.
            Iterator<String> any = kept.keySet().iterator();
            if (kept.size() >= MOST && any.hasNext()) {
                kept.remove(any.next());
            }
            kept.put(id, parsed);
        }
        return parsed;
    }
}
