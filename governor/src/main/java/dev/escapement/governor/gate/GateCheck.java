package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.Optional;

/**
 * The five checks in their order; the first that finds an obstacle decides. Obstacles that need a person come before
 * those that pass with time: otherwise a caller would wait for a deadline in vain.
 */
public enum GateCheck {

    /** Allows one execution per target, of any workflow. */
    TARGET_IS_FREE(SkipReason.ResourceBusy, "Does another execution hold the target?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            return input.entry() instanceof LedgerEntry.Held held
                            && !held.holder()
                                    .execution()
                                    .hasUid(input.request().execution().uid())
                    ? Obstacle.heldBy(held.holder())
                    : Optional.empty();
        }
    },

    /** Allows no execution on a target that may be half changed. */
    LAST_EXECUTION_DID_NOT_BREAK(
            SkipReason.PreviousExecutionFailed, "Did the last execution run and fail, without being cleared?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            Optional<EndedExecution> block = input.block();
            return block.isPresent() ? Obstacle.untilCleared(block.get()) : Optional.empty();
        }
    },

    /** Limits the number of failed starts in a row. */
    RETRIES_ARE_LEFT(SkipReason.ExhaustedRetries, "Did too many executions in a row fail to start?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            return input.consecutiveFailures() >= input.policy().maxConsecutiveFailures()
                    ? input.failureStreak().flatMap(streak -> Obstacle.untilCleared(streak.last()))
                    : Optional.empty();
        }
    },

    /** Delays the next attempt after a failed start. */
    BACKOFF_IS_OVER(SkipReason.RecentlyRemediated, "Is the backoff after a failed start still in effect?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            Optional<FailureStreak> streak = input.failureStreak();
            return streak.isPresent()
                    ? Obstacle.until(streak.get().nextAllowed(), streak.get().last(), input.now())
                    : Optional.empty();
        }
    },

    /** Delays the next run of a workflow after its success. */
    COOLDOWN_IS_OVER(SkipReason.RecentlyRemediated, "Did the same workflow complete on the target too recently?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            Optional<EndedExecution> completed = input.lastCompleted();
            return completed.isPresent()
                    ? Obstacle.until(
                            completed.get().endedAt().plus(input.policy().cooldown()), completed.get(), input.now())
                    : Optional.empty();
        }
    };

    private final SkipReason reason;
    private final String question;

    GateCheck(SkipReason reason, String question) {
        this.reason = reason;
        this.question = question;
    }

    /** Returns why an execution is skipped if this check finds an obstacle. */
    public SkipReason reason() {
        return reason;
    }

    /** Returns the check as a question for people; an execution passes if the answer is no. */
    public String question() {
        return question;
    }

    abstract Optional<Obstacle> findObstacle(GateInput input);
}
