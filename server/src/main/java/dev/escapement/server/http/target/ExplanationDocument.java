package dev.escapement.server.http.target;

import dev.escapement.common.SafeText;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.Obstacle;
import java.util.LinkedHashMap;
import java.util.Map;

/** A decision as a document: every check, and when the answer will change. */
final class ExplanationDocument {

    private static final int MAX_QUOTE_LENGTH = 100;

    private ExplanationDocument() {}

    static Map<String, Object> write(String workflow, Target target, GateDecision decision) {
        GateExplanation explanation = decision.explanation();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("workflow", workflow);
        document.put("target", target.canonical());
        document.put("admitted", explanation.admits());
        if (decision instanceof GateDecision.Skip skip) {
            document.put("reason", skip.reason().name());
            document.put("message", skip.message());
        } else {
            document.put("message", workflow + " would run on " + target + " now");
        }
        document.put("allowedAt", explanation.allowedAt());
        document.put("change", explanation.describeChange());
        document.put(
                "checks",
                explanation.checks().stream()
                        .map(ExplanationDocument::checkDocument)
                        .toList());
        return document;
    }

    /** The gate may have nothing against it, but it could not start, and that would count against the target. */
    static Map<String, Object> writeUnknownWorkflow(String workflow, Map<String, Object> explanation) {
        Map<String, Object> document = new LinkedHashMap<>(explanation);
        if (Boolean.TRUE.equals(document.put("admitted", false))) {
            document.put("reason", "WorkflowNotFound");
            document.put(
                    "message",
                    "the catalogue has no workflow %s: it would fail before execution, and count against the target"
                            .formatted(SafeText.quote(workflow, MAX_QUOTE_LENGTH)));
            document.put("change", "when the catalogue has such a workflow");
            document.remove("allowedAt");
        }
        return document;
    }

    private static Map<String, Object> checkDocument(GateExplanation.CheckResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("check", result.check().name());
        document.put("question", result.check().question());
        document.put("looksAt", result.inputs());
        document.put("objection", result.obstacle().isPresent());
        document.put("until", result.obstacle().flatMap(Obstacle::until));
        return document;
    }
}
