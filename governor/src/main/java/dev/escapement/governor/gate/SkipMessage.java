package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.Past;
import java.time.Duration;
import java.time.Instant;

/** A skip, for a person: what is in the way, until when, and what to do about it. */
final class SkipMessage {

    private SkipMessage() {}

    static String of(Decision.Skip skip) {
        Target target = skip.question().request().target();
        return switch (skip.check()) {
            case TARGET_IS_FREE -> busy(target, skip.conflicting().orElseThrow());
            case LAST_EXECUTION_DID_NOT_BREAK -> blocked(target, skip.recent().orElseThrow(), skip.question());
            case RETRIES_ARE_LEFT -> exhausted(target, skip.recent().orElseThrow(), skip.question());
            case BACKOFF_IS_OVER -> backingOff(target, skip);
            case COOLDOWN_IS_OVER -> coolingDown(target, skip);
        };
    }

    private static String busy(Target target, Holder holder) {
        return "%s is held by execution %s (workflow %s) since %s; one execution at a time runs on a target"
                .formatted(target, holder.execution(), holder.workflow(), holder.since());
    }

    private static String blocked(Target target, Past past, Question question) {
        return ("execution %s (workflow %s) ran on %s and failed at %s (%s), so %s may be half changed; "
                        + "%s runs on it until a person has looked and cleared it")
                .formatted(past.execution(), past.workflow(), target, past.at(), past.reason(), target, what(question));
    }

    private static String exhausted(Target target, Past last, Question question) {
        return ("%d executions in a row could not start on %s, the last one %s at %s (%s), and the limit is %d; "
                        + "%s runs on it until a person has removed the cause and cleared it")
                .formatted(
                        question.memory().failures(question.scope(), question.workflow()),
                        target,
                        last.execution(),
                        last.at(),
                        last.reason(),
                        question.policy().maxConsecutiveFailures(),
                        what(question));
    }

    private static String backingOff(Target target, Decision.Skip skip) {
        Past last = skip.recent().orElseThrow();
        Question question = skip.question();
        return "execution %s could not start on %s at %s (%s), failure %d in a row; %s"
                .formatted(
                        last.execution(),
                        target,
                        last.at(),
                        last.reason(),
                        question.memory().failures(question.scope(), question.workflow()),
                        again(skip));
    }

    private static String coolingDown(Target target, Decision.Skip skip) {
        Past last = skip.recent().orElseThrow();
        return "workflow %s completed on %s at %s (execution %s); %s"
                .formatted(last.workflow(), target, last.at(), last.execution(), again(skip));
    }

    private static String what(Question question) {
        return switch (question.scope()) {
            case TARGET -> "nothing";
            case WORKFLOW -> "workflow " + question.workflow() + " no longer";
        };
    }

    private static String again(Decision.Skip skip) {
        Instant at = skip.allowedAt().orElseThrow();
        Duration remaining = Duration.between(skip.question().now(), at);
        // Rounded up to whole seconds: whoever waits as long as they are told must not come too early.
        long seconds = remaining.getSeconds() + (remaining.getNano() > 0 ? 1 : 0);
        return "it may run again in %s, at %s".formatted(DurationText.format(Duration.ofSeconds(seconds)), at);
    }
}
