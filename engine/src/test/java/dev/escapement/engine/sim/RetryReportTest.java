package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingDetails;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.execution.ExecutionStatus.Running;
import dev.escapement.governor.Policy;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An execution whose processing fails says so in its status. */
class RetryReportTest extends ExecutorOutageScenario {

    private final Engine failing = new Engine(
            store,
            new SimulatedRunner(new SplittableRandom(1), invariants, () -> now) {
                @Override
                public Preparation prepare(Execution execution) {
                    throw new IllegalStateException("the folder is damaged");
                }
            },
            () -> Policy.DEFAULT);

    private void assertFails() {
        assertThatThrownBy(this::advanceFailing).hasMessage("the folder is damaged");
    }

    private Requeue advanceFailing() {
        return failing.advance(store.readExecution(ref).orElseThrow(), now);
    }

    @Test
    void writesNothingInTheFirstSeconds() {
        assertFails();
        pass(Duration.ofSeconds(29));
        assertFails();

        assertThat(writes).isEmpty();
    }

    @Test
    void writesReasonOnce() {
        pass(Duration.ofSeconds(30));
        assertFails();
        pass(Duration.ofMinutes(5));
        assertFails();

        assertThat(writes).hasSize(1);
        assertThat(((Pending) status()).details())
                .contains(new PendingDetails(
                        PendingReason.Retrying,
                        "processing fails, will retry: the folder is damaged",
                        CREATED.plusSeconds(30),
                        Optional.empty()));
    }

    @Test
    void proceedsWhenProcessingWorksAgain() {
        pass(Duration.ofSeconds(30));
        assertFails();

        advance();

        assertThat(status()).isInstanceOf(Running.class);
    }
}
