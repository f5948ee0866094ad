package dev.escapement.benchmarks.governor;

import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.util.Optional;

/** What a request can meet at the gate. */
public enum GateSituation {
    /** Free, and nothing is remembered. */
    ADMITTED("admitted", Optional.empty(), 0) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            play.finish(
                    play.start(play.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.Withdrawn());
        }
    },

    /** Another execution holds the target. */
    RESOURCE_BUSY("ResourceBusy", Optional.of(GateCheck.TARGET_IS_FREE), 0) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            play.start(play.newRequest(HistoryGenerator.newWorkflow(0), target));
        }
    },

    /** The last one ran and failed. */
    PREVIOUS_EXECUTION_FAILED("PreviousExecutionFailed", Optional.of(GateCheck.LAST_EXECUTION_DID_NOT_BREAK), 1) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            play.finish(
                    play.start(play.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.FailedDuringExecution("TaskFailed"));
        }
    },

    /** As many as the policy allows could not start, one after the other, of three workflows. */
    EXHAUSTED_RETRIES("ExhaustedRetries", Optional.of(GateCheck.RETRIES_ARE_LEFT), 3) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            for (int failure = 1; failure <= LedgerSimulation.POLICY.maxConsecutiveFailures(); failure++) {
                String workflow = HistoryGenerator.newWorkflow(failure % 3);
                LedgerSimulation.RunningExecution running = play.start(play.newRequest(workflow, target));
                ExecutionOutcome.FailedBeforeExecution outcome = play.startFailure(running);
                play.finish(running, outcome);
                play.advanceTo(outcome.nextAllowed());
            }
        }
    },

    /** The last one could not start, just now. */
    BACKING_OFF("RecentlyRemediated: backoff", Optional.of(GateCheck.BACKOFF_IS_OVER), 1) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            LedgerSimulation.RunningExecution running =
                    play.start(play.newRequest(HistoryGenerator.newWorkflow(0), target));
            play.finish(running, play.startFailure(running));
        }
    },

    /** The same workflow completed just now. */
    COOLING_DOWN("RecentlyRemediated: cooldown", Optional.of(GateCheck.COOLDOWN_IS_OVER), 1) {
        @Override
        void arrange(LedgerSimulation play, Target target) {
            play.finish(
                    play.start(play.newRequest(HistoryGenerator.newWorkflow(0), target)),
                    new ExecutionOutcome.Completed());
        }
    };

    private final String label;
    private final Optional<GateCheck> check;
    private final int rememberedWorkflows;

    GateSituation(String label, Optional<GateCheck> check, int remembered) {
        this.label = label;
        this.check = check;
        this.rememberedWorkflows = remembered;
    }

    /** For the report. */
    public String label() {
        return label;
    }

    /** Whether the gate has a message. */
    public boolean isSkip() {
        return check.isPresent();
    }

    /**
     * Whether this is what the question meets, on an entry that remembers as many workflows as an arranged one: what an
     * answer costs depends on both.
     */
    boolean matches(GateInput question) {
        return question.entry().memory().workflows().size() == rememberedWorkflows
                && LedgerSimulation.failedCheck(LedgerSimulation.decide(question))
                        .equals(check);
    }

    /** Brings a target without an entry there; the first workflow is to be asked for then. */
    abstract void arrange(LedgerSimulation play, Target target);
}
