package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.Optional;

/**
 * The checks in their order; the first that finds an obstacle decides. Obstacles that need a person come before those
 * that pass with time: otherwise a caller would wait for a deadline in vain. The last two concern only a request that
 * may wait, and only {@link Gate} knows when.
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
            Optional<FailureStreak> streak = input.failureStreak();
            return streak.isPresent() && input.isExhausted(streak.get())
                    ? Obstacle.untilCleared(streak.get().last())
                    : Optional.empty();
        }
    },

    /** Delays the next attempt after a failed start. */
    BACKOFF_IS_OVER(SkipReason.RecentlyRemediated, "Is the backoff after a failed start still in effect?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            Optional<FailureStreak> streak = input.failureStreak();
            return streak.isPresent() && streak.get().nextAllowed().isPresent()
                    ? Obstacle.until(
                            streak.get().nextAllowed().get(), streak.get().last(), input.now())
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
    },

    /** Admits the requests that wait for a target in the order of their age. */
    NO_OLDER_REQUEST_WAITS(SkipReason.ResourceBusy, "Does an older execution wait for the target that could run now?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            return input.waiting().isEmpty()
                    ? Optional.empty()
                    : input.admissibleAhead().map(Obstacle::behind);
        }

        @Override
        boolean appliesTo(GateInput input) {
            return !input.waiting().isEmpty();
        }
    },

    /** Limits the number of requests that wait for a target. */
    QUEUE_HAS_ROOM(SkipReason.QueueFull, "Do too many executions wait for the target?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            boolean full =
                    input.request().waitTerms().filter(terms -> !terms.queued()).isPresent()
                            && input.waitingAhead().count() >= input.policy().maxWaiting();
            return full ? Optional.of(Obstacle.ofQueue()) : Optional.empty();
        }

        /** The length of the queue does not matter to a request that is admitted at once. */
        @Override
        boolean appliesTo(GateInput input) {
            return input.request().waitTerms().isPresent()
                    && Gate.findObstacle(input).isPresent();
        }
    },

    /** Skips a request whose time to wait is over, also if nothing else is in the way. */
    WAIT_IS_NOT_OVER(SkipReason.WaitExpired, "Is the time to wait over?") {
        @Override
        Optional<Obstacle> findObstacle(GateInput input) {
            return input.request()
                    .waitTerms()
                    .filter(terms -> terms.isOver(input.now()))
                    .map(over -> Obstacle.ofQueue());
        }

        @Override
        boolean appliesTo(GateInput input) {
            return input.request().waitTerms().isPresent();
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

    /** Returns whether an explanation lists this check. */
    boolean appliesTo(GateInput input) {
        return true;
    }
}
