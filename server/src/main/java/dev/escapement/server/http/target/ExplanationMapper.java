package dev.escapement.server.http.target;

import dev.escapement.api.target.Explanation;
import dev.escapement.common.SafeText;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.Obstacle;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps decisions of the gate to {@link Explanation}: every check, and when the answer will change. */
final class ExplanationMapper {

    private static final int MAX_QUOTE_LENGTH = 100;

    private ExplanationMapper() {}

    static Explanation toDocument(String workflow, Target target, GateDecision decision) {
        GateExplanation explanation = decision.explanation();
        return new Explanation(
                workflow,
                target.canonical(),
                explanation.admits(),
                decision instanceof GateDecision.Skip skip ? skip.reason().name() : null,
                decision instanceof GateDecision.Skip skip
                        ? skip.message()
                        : workflow + " would run on " + target + " now",
                text(explanation.allowedAt()),
                explanation.describeChange(),
                explanation.checks().stream().map(ExplanationMapper::check).toList(),
                Map.of());
    }

    /** The gate may admit it, but it would fail before execution, and that would count against the target. */
    static Explanation ofUnknownWorkflow(String workflow, Explanation explanation) {
        if (!Boolean.TRUE.equals(explanation.admitted())) {
            return explanation;
        }
        return new Explanation(
                explanation.workflow(),
                explanation.target(),
                false,
                "WorkflowNotFound",
                "the catalogue has no workflow %s: it would fail before execution, and count against the target"
                        .formatted(SafeText.quote(workflow, MAX_QUOTE_LENGTH)),
                null,
                "when the catalogue has such a workflow",
                explanation.checks(),
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
