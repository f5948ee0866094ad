package dev.escapement.endpoints.model;

import dev.escapement.endpoints.model.RemediationAttempt.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** What became of a remediation, as it is kept and shown. */
public final class RemediationAttemptCodec {

    private RemediationAttemptCodec() {}

    /** As a tree. */
    public static Map<String, Object> write(RemediationAttempt remedy) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("run", remedy.runNumber());
        document.put("at", remedy.at().toString());
        document.put("state", remedy.state().name());
        remedy.executionName().ifPresent(name -> document.put("execution", name));
        remedy.namespace().ifPresent(namespace -> document.put("namespace", namespace));
        document.put("reason", remedy.reason());
        remedy.blockedUntil().ifPresent(until -> document.put("until", until.toString()));
        return document;
    }

    /** The tree back. */
    public static RemediationAttempt read(Map<String, ?> document) {
        DocumentFields fields = DocumentFields.root(document, new ArrayList<>());
        return new RemediationAttempt(
                fields.whole("run").orElse(0L),
                Instant.parse(fields.text("at")),
                State.valueOf(fields.text("state")),
                fields.optionalText("execution"),
                fields.optionalText("namespace"),
                fields.text("reason"),
                fields.instant("until"));
    }
}
