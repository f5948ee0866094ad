package dev.escapement.server.http.target;

import dev.escapement.api.target.Explanation;
import dev.escapement.common.SafeText;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.Obstacle;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps decisions of the gate to {@link Explanation}: every check, and when the answer will change. */
final class ExplanationMapper {

    private static final int MAX_QUOTE_LENGTH = 100;

    private ExplanationMapper() {}

    /** @param unknown whether the catalogue does not have the workflow */
    static Explanation toDocument(String workflow, Target target, GateDecision decision, boolean unknown) {
        GateExplanation explanation = decision.explanation();
        String reason = null;
        String message = workflow + " would run on " + target + " now";
        String change = explanation.describeChange();
        Optional<Instant> allowedAt = explanation.allowedAt();
        if (decision instanceof GateDecision.Skip skip) {
            reason = skip.reason().name();
            message = skip.message();
        } else if (unknown) {
            // The gate may admit it, but it would fail before execution, and that would count against the target.
            reason = "WorkflowNotFound";
            message = "the catalogue has no workflow %s: it would fail before execution, and count against the target"
                    .formatted(SafeText.quote(workflow, MAX_QUOTE_LENGTH));
            change = "when the catalogue has such a workflow";
            allowedAt = Optional.empty();
        }
        return new Explanation(
                workflow,
                target.canonical(),
                explanation.admits() && !unknown,
                reason,
                message,
                text(allowedAt),
                change,
                explanation.checks().stream().map(ExplanationMapper::check).toList(),
                Map.of());
    }

    private static Explanation.Check check(GateExplanation.CheckResult result) {
        return new Explanation.Check(
                result.check().name(),
                result.check().question(),
                result.inputs(),
                result.obstacle().isPresent(),
                text(result.obstacle().flatMap(Obstacle::until)),
                Map.of());
    }

    private static @Nullable String text(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }
}
