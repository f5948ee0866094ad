package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.ledger.ExecutionRef;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Deletes the runs of deleted executions, and counts those that are active. */
record RunCleaner<T extends HasMetadata>(KubernetesObjectRunner<T> runner) {

    /** Deletes the runs of a deleted execution, except those that are running. */
    void deleteInactiveRuns(ExecutionRef execution) {
        runner.removeSuspended(execution);
        for (T run : runner.writer().cache().findByOwner(execution.uid())) {
            RunRef ref = runner.toRunRef(run);
            if (isInactive(run)) {
                runner.refresh(ref).filter(this::isInactive).ifPresent(runner.writer()::delete);
            }
        }
    }

    int countRunning() {
        return (int) runner.writer()
                .cache()
                .all()
                .filter(run -> !RunLabels.executionUid(run).isEmpty())
                .filter(run -> !runner.adapter().isSuspended(run) && !isInactive(run))
                .count();
    }

    private boolean isInactive(T run) {
        return runner.adapter().isFinished(run) || WithdrawnRun.of(run).isPresent();
    }
}
