package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Withdrawal;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Stops, removes and withdraws started runs. */
record RunStopper<T extends HasMetadata>(KubernetesObjectRunner<T> runner) {

    private static final int SERVER_ERROR = 500;

    /** Requests a run to stop; the patch records when, so that a stop without effect is noticed after a restart too. */
    void requestStop(RunRef run, UnaryOperator<JsonPatch> mark) {
        if (runner.findCached(run)
                .or(() -> runner.refresh(run))
                .filter(this::isStoppable)
                .isEmpty()) {
            return;
        }
        JsonPatch stop = runner.adapter().stopPatch(JsonPatch.of(run.uid()));
        String now = runner.clock().instant().toString();
        try {
            runner.patch(run, mark.apply(stop).annotate(RunLabels.STOP_REQUESTED_AT, now));
            runner.refusals().forget(run);
        } catch (KubernetesClientException refused) {
            if (KubernetesObjectRunner.isTransientFailure(refused)
                    || runner.refresh(run).filter(this::isStoppable).isPresent()) {
                throw runner.refusals().unavailable(run, refused);
            }
        }
    }

    private boolean isStoppable(T run) {
        return !runner.adapter().isSuspended(run)
                && !runner.adapter().isFinished(run)
                && RunLabels.stopRequestedAt(run).isEmpty();
    }

    /**
     * Removes a started run unless it has ended meanwhile. The garbage collector removes its tasks and pods, which also
     * works without its executor.
     */
    boolean removeStarted(RunRef run) {
        boolean removed = runner.removeUnderVersion(run, found -> runner.observe(found) instanceof Observation.Running);
        runner.refusals().forget(run);
        return removed;
    }

    /**
     * Makes a run unable to start and records why, in one patch under its resource version. An executor that updates
     * the run at the same time wins.
     *
     * <p>If the patch is forbidden, or the executor's own webhook refuses it, the run is removed under the same
     * version. While that webhook is away, the executor cannot create anything for the run.
     */
    Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
        JsonPatch unchanged = JsonPatch.of(run.uid()).test("/metadata/resourceVersion", version);
        String reason = WithdrawnRun.of(facts, runner.clock().instant()).toJson();
        try {
            runner.patch(run, runner.adapter().stopPatch(unchanged).annotate(RunLabels.WITHDRAWN, reason));
            return Withdrawal.MARKED;
        } catch (KubernetesClientException refused) {
            if (!KubernetesObjectRunner.isTransientFailure(refused)) {
                return remove(run, version);
            }
            if (refused.getCode() < SERVER_ERROR || !runner.adapter().admitsByWebhook()) {
                throw runner.refusals().unavailable(run, refused);
            }
            return remove(run, version);
        }
    }

    private Withdrawal remove(RunRef run, String version) {
        Optional<T> found = runner.refresh(run).filter(current -> hasVersion(current, version));
        boolean removed = found.isPresent() && runner.writer().delete(found.get());
        return removed && !runner.adapter().hasChildren(found.get()) ? Withdrawal.REMOVED : Withdrawal.CONFLICT;
    }

    private static boolean hasVersion(HasMetadata run, String version) {
        return run.getMetadata().getResourceVersion().equals(version);
    }
}
