package dev.escapement.endpoints;

import dev.escapement.endpoints.Remedy.State;
import dev.escapement.engine.document.DocumentFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** What became of a remediation, as it is kept and shown. */
public final class RemedyDocument {

    private RemedyDocument() {}

    /** As a tree. */
    public static Map<String, Object> write(Remedy remedy) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("run", remedy.run());
        document.put("at", remedy.at().toString());
        document.put("state", remedy.state().name());
        remedy.execution().ifPresent(name -> document.put("execution", name));
        remedy.namespace().ifPresent(namespace -> document.put("namespace", namespace));
        document.put("reason", remedy.reason());
        remedy.until().ifPresent(until -> document.put("until", until.toString()));
        return document;
    }

    /** The tree back. */
    public static Remedy read(Map<String, ?> document) {
        DocumentFields fields = DocumentFields.root(document, new ArrayList<>());
        return new Remedy(
                fields.whole("run").orElse(0L),
                Instant.parse(fields.text("at")),
                State.valueOf(fields.text("state")),
                fields.optionalText("execution"),
                fields.optionalText("namespace"),
                fields.text("reason"),
                fields.instant("until"));
    }
}
