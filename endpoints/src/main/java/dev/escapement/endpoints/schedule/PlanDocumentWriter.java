package dev.escapement.endpoints.schedule;

import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RejectedCandidate;
import dev.escapement.governor.plan.RunCandidate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The story of a plan as a tree: what was chosen, what moved it, and every other candidate with the rule it fell by.
 */
public final class PlanDocumentWriter {

    private PlanDocumentWriter() {}

    /**
     * Writes it.
     *
     * @param source what decided it
     */
    static Map<String, Object> write(NextRunPlan plan, String source) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("at", plan.at().toString());
        document.put("source", source);
        document.put("basis", plan.chosen().basis());
        plan.chosen().hint().ifPresent(hint -> document.put("by", hint.author()));
        plan.clamp().ifPresent(clamp -> {
            document.put("clamp", clamp.bound().name());
            document.put("clampedFrom", clamp.originalTime().toString());
        });
        document.put(
                "rejected",
                plan.rejected().stream().map(PlanDocumentWriter::writeRejection).toList());
        Map<String, Object> without = new LinkedHashMap<>();
        without.put("at", plan.withoutHints().at().toString());
        without.put("source", plan.withoutHints().source().name());
        document.put("withoutHints", without);
        document.put("explanation", plan.explain());
        return document;
    }

    /** A plan that is nobody's choice. */
    static Map<String, Object> writeWithoutCandidates(String source, String explanation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", source);
        document.put("explanation", explanation);
        return document;
    }

    private static Map<String, Object> writeRejection(RejectedCandidate rejection) {
        RunCandidate candidate = rejection.candidate();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", candidate.source().name());
        document.put("at", candidate.at().toString());
        document.put("basis", candidate.basis());
        candidate.hint().ifPresent(hint -> document.put("by", hint.author()));
        document.put("rule", rejection.reason().name());
        document.put("why", rejection.reason().description());
        return document;
    }
}
