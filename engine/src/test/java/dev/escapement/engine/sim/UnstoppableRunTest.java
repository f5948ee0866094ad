package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.ExecutionStatus.Failed;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The limits of a started run whose executor does not stop it. */
class UnstoppableRunTest extends ExecutorOutageScenario {

    @Test
    void cancelsRunThatIsNotPickedUpAtOnce() {
        runner.working = false;
        advance();
        service.cancel("ops", "e1", "anna", now);

        advanceUntilDone();

        assertThat(((Failed) status()).failure().wasExecutionFailure()).isFalse();
        assertThat(store.latestEntry(NODE)).isInstanceOf(Free.class);
    }

    @Test
    void stopsOverdueRunThenRemovesIt() {
        runner.timeout = Optional.of(Duration.ofMinutes(10));
        advance();
        Instant overdue = CREATED.plus(Duration.ofMinutes(10)).plus(LIMIT);
        assertThat(advance().deadline()).contains(overdue);
        runner.working = false;
        now = overdue;

        assertThat(advance().deadline()).contains(overdue.plus(LIMIT));
        assertThat(run().stopping).isTrue();
        pass(LIMIT);
        advanceUntilDone();

        assertThat(runner.runs).isEmpty();
        assertThat(((Failed) status()).failure().reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(((Failed) status()).failure().wasExecutionFailure()).isTrue();
        assertThat(store.latestEntry(NODE)).isInstanceOf(Free.class);
    }

    @Test
    void removesCancelledRunThatDoesNotStop() {
        advance();
        runner.working = false;
        service.cancel("ops", "e1", "anna", now);
        assertThat(advance().deadline()).contains(now.plus(LIMIT));
        pass(LIMIT);

        advanceUntilDone();

        assertCancelledDuring();
    }

    @Test
    void removesCancelledRunThatCannotBeStopped() {
        advance();
        runner.setAccepting(false);
        service.cancel("ops", "e1", "anna", now);
        assertThatThrownBy(this::advance).isInstanceOf(ExecutorUnavailableException.class);
        pass(LIMIT);

        advanceUntilDone();

        assertCancelledDuring();
    }

    private void assertCancelledDuring() {
        Failed failed = (Failed) status();
        assertThat(failed.failure().reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failed.failure().wasExecutionFailure()).isTrue();
        assertThat(store.latestEntry(NODE).memory().hasFailures()).isTrue();
        assertThat(store.latestEntry(NODE)).isInstanceOf(Free.class);
        assertThat(runner.runs).isEmpty();
    }

    @Test
    void releasesTargetOfDeletedExecutionWhoseRunDoesNotStop() {
        advance();
        runner.working = false;
        service.delete("ops", "e1", "anna", now);
        assertThat(engine.cleanUpDeleted(ref, NODE, now).deadline()).contains(now.plus(LIMIT));
        pass(LIMIT);

        engine.cleanUpDeleted(ref, NODE, now);
        engine.cleanUpDeleted(ref, NODE, now);

        assertThat(store.latestEntry(NODE)).isInstanceOf(Free.class);
        assertThat(runner.runs).isEmpty();
    }
}
