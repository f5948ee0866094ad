package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.Failed;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** An execution whose executor the tests stop and start. */
abstract class ExecutorOutageScenario {

    static final Target NODE = Target.parse("node/a");
    static final Instant CREATED = Instant.parse("2026-11-15T12:00:00Z");
    static final Duration LIMIT = Policy.DEFAULT.executorTimeout();

    final List<StoreWrite> writes = new ArrayList<>();
    final SimulationInvariants invariants = new SimulationInvariants(Policy.DEFAULT);
    final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), true, invariants) {
        @Override
        int chooseVersion(int count) {
            return count - 1;
        }

        @Override
        public boolean apply(List<StoreWrite> applied) {
            writes.addAll(applied);
            return super.apply(applied);
        }
    };
    Instant now = CREATED;
    final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> now);
    final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    final ExecutionService service = new ExecutionService(store, store.queries(), () -> Policy.DEFAULT);
    final ExecutionRef ref = new ExecutionRef("ops", "e1", "uid-1");

    ExecutorOutageScenario() {
        service.create(Execution.pending(ref, CREATED, ExecutionSpec.of("repair", "node/a", Map.of())));
        writes.clear();
    }

    Requeue advance() {
        return engine.advance(store.readExecution(ref).orElseThrow(), now);
    }

    void advanceUntilDone() {
        for (int i = 0; i < 5 && advance() == Requeue.IMMEDIATELY; i++) {
            // Each call makes one transition.
        }
    }

    ExecutionStatus status() {
        return store.readExecution(ref).orElseThrow().value().status();
    }

    SimulatedRunner.SimulatedRun run() {
        return Objects.requireNonNull(runner.runs.get(ref));
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    Failed assertFailedBefore(FailureReason reason) {
        assertThat(status()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.failure().reason()).isEqualTo(reason);
            assertThat(failed.failure().wasExecutionFailure()).isFalse();
        });
        assertThat(store.latestEntry(NODE)).isInstanceOf(Free.class);
        return (Failed) status();
    }

    void assertCountedWithBackoff() {
        assertThat(((Failed) status()).outcome()).isInstanceOfSatisfying(FailedBeforeExecution.class, counted -> {
            assertThat(counted.consecutiveFailures()).isEqualTo(1);
            assertThat(counted.nextAllowed().orElseThrow()).isAfterOrEqualTo(now.plus(Duration.ofMinutes(1)));
        });
    }
}
