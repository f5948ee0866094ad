package dev.escapement.server.http;

import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.Explanation;
import dev.escapement.governor.gate.Obstacle;
import java.util.LinkedHashMap;
import java.util.Map;

/** A decision as a document: every check, and when the answer will change. */
final class ExplanationDocument {

    private ExplanationDocument() {}

    static Map<String, Object> write(String workflow, Target target, Decision decision) {
        Explanation explanation = decision.explanation();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("workflow", workflow);
        document.put("target", target.canonical());
        document.put("admitted", explanation.admits());
        if (decision instanceof Decision.Skip skip) {
            document.put("reason", skip.reason().name());
            document.put("message", skip.message());
        } else {
            document.put("message", workflow + " would run on " + target + " now");
        }
        document.put("allowedAt", explanation.allowedAt());
        document.put("change", explanation.change());
        document.put(
                "checks",
                explanation.checks().stream().map(ExplanationDocument::check).toList());
        return document;
    }

    private static Map<String, Object> check(Explanation.Result result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("check", result.check().name());
        document.put("question", result.check().question());
        document.put("looksAt", result.inputs());
        document.put("objection", result.obstacle().isPresent());
        document.put("until", result.obstacle().flatMap(Obstacle::until));
        return document;
    }
}
