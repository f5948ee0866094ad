package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.Optional;

/**
 * The five checks, in the order in which they are made; the first that finds something decides. What takes a person
 * comes before what takes time, so that nobody waits for a deadline only to learn that waiting was in vain.
 */
public enum GateCheck {

    /** One execution per target, whatever its workflow. */
    TARGET_IS_FREE(SkipReason.ResourceBusy, "Does another execution hold the target?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput question) {
            return question.entry() instanceof LedgerEntry.Held held
                            && !held.holder()
                                    .execution()
                                    .hasUid(question.request().execution().uid())
                    ? Obstacle.heldBy(held.holder())
                    : Optional.empty();
        }
    },

    /** Nothing runs on what may be half changed. */
    LAST_EXECUTION_DID_NOT_BREAK(
            SkipReason.PreviousExecutionFailed, "Did the last execution run and fail, and nobody cleared it?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput question) {
            Optional<EndedExecution> block = question.memory().block(question.failureScope(), question.workflow());
            return block.isPresent() ? Obstacle.untilCleared(block.get()) : Optional.empty();
        }
    },

    /** A series of failures to start has an end. */
    RETRIES_ARE_LEFT(SkipReason.ExhaustedRetries, "Did too many executions in a row fail to start?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput question) {
            int failures = question.memory().consecutiveFailures(question.failureScope(), question.workflow());
            return failures >= question.policy().maxConsecutiveFailures()
                    ? failureStreak(question).flatMap(retry -> Obstacle.untilCleared(retry.last()))
                    : Optional.empty();
        }
    },

    /** Slower and slower while it cannot even start. */
    BACKOFF_IS_OVER(SkipReason.RecentlyRemediated, "Does the backoff after a failure to start still run?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput question) {
            Optional<FailureStreak> retry = failureStreak(question);
            return retry.isPresent()
                    ? Obstacle.until(retry.get().nextAllowed(), retry.get().last(), question.now())
                    : Optional.empty();
        }
    },

    /** Not again what has just been done. */
    COOLDOWN_IS_OVER(SkipReason.RecentlyRemediated, "Did the same workflow complete on the target too recently?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput question) {
            Optional<EndedExecution> completed = question.memory().lastCompleted(question.workflow());
            return completed.isPresent()
                    ? Obstacle.until(
                            completed.get().endedAt().plus(question.policy().cooldown()),
                            completed.get(),
                            question.now())
                    : Optional.empty();
        }
    };

    private final SkipReason reason;
    private final String question;

    GateCheck(SkipReason reason, String question) {
        this.reason = reason;
        this.question = question;
    }

    /** Why an execution is skipped if this check finds something. */
    public SkipReason reason() {
        return reason;
    }

    /** The check in words; the answer that lets an execution pass is always no. */
    public String question() {
        return question;
    }

    /** What is in the way, if anything. */
    abstract Optional<Obstacle> findObstacle(GateInput question);

    private static Optional<FailureStreak> failureStreak(GateInput question) {
        return question.memory().failureStreak(question.failureScope(), question.workflow());
    }
}
