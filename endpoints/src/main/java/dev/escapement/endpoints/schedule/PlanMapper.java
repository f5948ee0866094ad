package dev.escapement.endpoints.schedule;

import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RejectedCandidate;
import dev.escapement.governor.plan.RunCandidate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps plans to documents: what was chosen, what moved it, and every other candidate with the rule against it. */
final class PlanMapper {

    private PlanMapper() {}

    /** @param source what decided it */
    static ScheduleExplanation toDocument(NextRunPlan plan, String source) {
        return new ScheduleExplanation(
                plan.at().toString(),
                source,
                plan.chosen().basis(),
                authorOf(plan.chosen()),
                plan.clamp().map(clamp -> clamp.bound().name()).orElse(null),
                plan.clamp().map(clamp -> clamp.originalTime().toString()).orElse(null),
                plan.rejected().stream().map(PlanMapper::toDocument).toList(),
                new ScheduleExplanation.Alternative(
                        plan.withoutHints().at().toString(),
                        plan.withoutHints().source().name(),
                        Map.of()),
                plan.explain(),
                Map.of());
    }

    /** Returns a plan in which nothing had to be decided. */
    static ScheduleExplanation withoutCandidates(String source, String explanation) {
        return new ScheduleExplanation(null, source, null, null, null, null, null, null, explanation, Map.of());
    }

    private static ScheduleExplanation.Rejected toDocument(RejectedCandidate rejection) {
        RunCandidate candidate = rejection.candidate();
        return new ScheduleExplanation.Rejected(
                candidate.source().name(),
                candidate.at().toString(),
                candidate.basis(),
                authorOf(candidate),
                rejection.reason().name(),
                rejection.reason().description(),
                Map.of());
    }

    private static @Nullable String authorOf(RunCandidate candidate) {
        return candidate.hint().map(Hint::author).orElse(null);
    }
}
