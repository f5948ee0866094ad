package dev.escapement.engine.sim;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.sim.Simulation.Fault;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Creates the simulated store and runner, optionally without one of their checks. */
final class FaultInjector {

    private FaultInjector() {}

    static SimulatedStore newStore(
            Fault fault, RandomGenerator random, boolean transactional, SimulationInvariants invariants) {
        return new SimulatedStore(random, transactional, invariants) {
            @Override
            public List<GateRequest> readWaiting(Target target) {
                return fault == Fault.QUEUE_NOT_READ ? List.of() : super.readWaiting(target);
            }

            @Override
            boolean isCurrent(StoreWrite write) {
                boolean unchecked = write instanceof StoreWrite.EntryUpdate
                        ? fault == Fault.ENTRIES_WITHOUT_VERSION
                        : fault == Fault.STATUS_WITHOUT_VERSION;
                return unchecked || super.isCurrent(write);
            }
        };
    }

    static SimulatedRunner newRunner(
            Fault fault, RandomGenerator random, SimulationInvariants invariants, Supplier<Instant> clock) {
        return new SimulatedRunner(random, invariants, clock) {
            @Override
            boolean mayStart(SimulatedRun run, String version) {
                return fault == Fault.START_WITHOUT_VERSION || super.mayStart(run, version);
            }

            @Override
            boolean mayWithdraw(SimulatedRun run, String version) {
                return fault == Fault.WITHDRAW_WITHOUT_VERSION
                        ? run.state == RunState.RUNNING
                        : super.mayWithdraw(run, version);
            }

            @Override
            public List<TargetRun> findRuns(Target target) {
                return fault == Fault.UNRECORDED_RUNS_IGNORED ? List.of() : super.findRuns(target);
            }
        };
    }
}
