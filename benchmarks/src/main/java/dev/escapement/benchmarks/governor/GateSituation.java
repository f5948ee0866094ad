package dev.escapement.benchmarks.governor;

import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.util.Optional;

/** The situation of a target when a request is decided. */
public enum GateSituation {
    /** The target is free and has no memory. */
    ADMITTED("admitted", Optional.empty(), 0) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            simulation.finish(
                    simulation.start(simulation.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.Withdrawn());
        }
    },

    /** Another execution holds the target. */
    RESOURCE_BUSY("ResourceBusy", Optional.of(GateCheck.TARGET_IS_FREE), 0) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            simulation.start(simulation.newRequest(HistoryGenerator.newWorkflow(0), target));
        }
    },

    /** The last execution failed during execution. */
    PREVIOUS_EXECUTION_FAILED("PreviousExecutionFailed", Optional.of(GateCheck.LAST_EXECUTION_DID_NOT_BREAK), 1) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            simulation.finish(
                    simulation.start(simulation.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.FailedDuringExecution("TaskFailed"));
        }
    },

    /** As many consecutive executions as the policy allows could not start, of three workflows. */
    EXHAUSTED_RETRIES("ExhaustedRetries", Optional.of(GateCheck.RETRIES_ARE_LEFT), 3) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            for (int failure = 1; failure <= LedgerSimulation.POLICY.maxConsecutiveFailures(); failure++) {
                String workflow = HistoryGenerator.newWorkflow(failure % 3);
                LedgerSimulation.RunningExecution running = simulation.start(simulation.newRequest(workflow, target));
                ExecutionOutcome.FailedBeforeExecution outcome = simulation.startFailure(running);
                simulation.finish(running, outcome);
                outcome.nextAllowed().ifPresent(simulation::advanceTo);
            }
        }
    },

    /** The last execution could not start, just now. */
    BACKING_OFF("RecentlyRemediated: backoff", Optional.of(GateCheck.BACKOFF_IS_OVER), 1) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            LedgerSimulation.RunningExecution running =
                    simulation.start(simulation.newRequest(HistoryGenerator.newWorkflow(0), target));
            simulation.finish(running, simulation.startFailure(running));
        }
    },

    /** The same workflow completed just now. */
    COOLING_DOWN("RecentlyRemediated: cooldown", Optional.of(GateCheck.COOLDOWN_IS_OVER), 1) {
        @Override
        void arrange(LedgerSimulation simulation, Target target) {
            simulation.finish(
                    simulation.start(simulation.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.Completed());
        }
    };

    private final String label;
    private final Optional<GateCheck> check;
    private final int rememberedWorkflows;

    GateSituation(String label, Optional<GateCheck> check, int rememberedWorkflows) {
        this.label = label;
        this.check = check;
        this.rememberedWorkflows = rememberedWorkflows;
    }

    /** For the report. */
    public String label() {
        return label;
    }

    /** Returns whether the gate skips, so that there is a message. */
    public boolean isSkip() {
        return check.isPresent();
    }

    /**
     * Returns whether the input is in this situation, with as many workflows in the entry as after {@link #arrange}:
     * the cost depends on both.
     */
    boolean matches(GateInput input) {
        return input.entry().memory().workflows().size() == rememberedWorkflows
                && LedgerSimulation.failedCheck(LedgerSimulation.decide(input)).equals(check);
    }

    /** Brings a target without an entry into this situation, for a request of the first workflow. */
    abstract void arrange(LedgerSimulation simulation, Target target);
}
