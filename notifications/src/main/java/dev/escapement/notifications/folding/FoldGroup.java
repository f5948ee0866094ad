package dev.escapement.notifications.folding;

import dev.escapement.common.Digests;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.notifications.message.NotificationSeverity;
import java.util.List;

/**
 * The notifications that share a limit and a summary.
 *
 * @param target empty for those of all targets
 * @param reason empty for those of all reasons
 */
public record FoldGroup(TransitionType type, NotificationSeverity severity, String reason, String target) {

    private static final int DIGEST_BYTES = 16;

    /** Returns the groups of a transition, the narrowest first. A skip may repeat on a target; a failure blocks it. */
    public static List<FoldGroup> of(Transition transition, NotificationSeverity severity) {
        FoldGroup overall = new FoldGroup(transition.type(), severity, "", "");
        return transition.type() == TransitionType.WorkflowSkipped
                ? List.of(new FoldGroup(transition.type(), severity, transition.reason(), transition.target()), overall)
                : List.of(overall);
    }

    boolean isOfOneTarget() {
        return !target.isEmpty();
    }

    int limit(FoldingPolicy policy) {
        return isOfOneTarget() ? policy.perTarget() : policy.overall();
    }

    /** Returns a short id that is the same on every server. */
    public String id() {
        return Digests.sha256Hex(String.join("\n", type.name(), severity.name(), reason, target), DIGEST_BYTES);
    }
}
