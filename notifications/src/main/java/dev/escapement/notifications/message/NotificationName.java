package dev.escapement.notifications.message;

import dev.escapement.common.Digests;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;

/**
 * Names notifications. The name is a function of what happened, so a transition that is read twice, after a crash or by
 * two servers, makes one notification. Valid as the name of a Kubernetes object, and without a dot, as the id of a
 * signed webhook must be.
 */
public final class NotificationName {

    private static final String PREFIX = "nr-";
    private static final int DIGEST_BYTES = 12;

    private NotificationName() {}

    /** Returns the name of the notification of one transition. An execution is skipped, or fails, only once. */
    public static String of(Transition transition) {
        String subject = transition
                .execution()
                .map(ExecutionRef::uid)
                .orElseGet(() -> transition.target() + "\n" + transition.at() + "\n" + transition.message());
        return digest(transition.type().name(), subject);
    }

    /** Returns the name of a summary: of one window of one group. */
    public static String ofSummary(String group, Instant windowStart, long generation) {
        return digest("summary", group, windowStart.toString(), Long.toString(generation));
    }

    private static String digest(String... parts) {
        return PREFIX + Digests.sha256Hex(String.join("\n", parts), DIGEST_BYTES);
    }
}
