package dev.escapement.kubernetes.audit;

import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.mapping.AuditRecordMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that fit into one object of the API server.
 *
 * @param documents as JSON, not empty
 * @param oldest the time of the first
 */
record AuditBatch(List<String> documents, Instant oldest) {

    static final int MAX_RECORDS = 2_000;

    /** Less than the mebibyte that a ConfigMap may have, even if nothing can be compressed. */
    private static final int MAX_BYTES = 900_000;

    AuditBatch {
        documents = List.copyOf(documents);
    }

    /** Returns the first of the transitions, as many as fit. */
    static AuditBatch first(List<Transition> transitions) {
        List<String> documents = new ArrayList<>();
        int bytes = 0;
        for (Transition transition : transitions) {
            String document = toDocument(transition);
            bytes += document.getBytes(StandardCharsets.UTF_8).length + 1;
            if (!documents.isEmpty() && (bytes > MAX_BYTES || documents.size() == MAX_RECORDS)) {
                break;
            }
            documents.add(document);
        }
        return new AuditBatch(documents, transitions.get(0).at());
    }

    int size() {
        return documents.size();
    }

    /** Returns the record of a transition as JSON with sorted keys, as in the audit trail of a database. */
    static String toDocument(Transition transition) {
        return Json.writeSorted(Json.toMap(AuditRecordMapper.toRecord(transition)));
    }
}
