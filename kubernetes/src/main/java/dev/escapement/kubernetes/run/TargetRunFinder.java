package dev.escapement.kubernetes.run;

import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.TargetRun;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Finds runs by their labels, whatever the ledger says. */
record TargetRunFinder<T extends HasMetadata>(KubernetesObjectRunner<T> runner) {

    private static final long PAGE_SIZE = 50;

    /** Lists in pages: a target may have many retained runs, of which only a few fields are needed. */
    List<TargetRun> findRuns(Target target) {
        var labelled = runner.writer()
                .client()
                .resources(runner.adapter().type())
                .inNamespace(runner.namespace())
                .withLabel(RunLabels.TARGET, target.objectName());
        List<TargetRun> runs = new ArrayList<>();
        String next = "";
        do {
            var page = labelled.list(new ListOptionsBuilder()
                    .withLimit(PAGE_SIZE)
                    .withContinue(next.isEmpty() ? null : next)
                    .build());
            page.getItems().stream().flatMap(run -> toTargetRun(run).stream()).forEach(runs::add);
            next = Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
        } while (!next.isEmpty());
        return List.copyOf(runs);
    }

    Optional<TargetRun> findActiveRun(ExecutionRef execution) {
        return runner.writer().cache().findByOwner(execution.uid()).stream()
                .flatMap(run -> toTargetRun(run).stream())
                .filter(TargetRun::isActive)
                .findFirst();
    }

    /** Returns empty for an object that only looks like a run, such as a copy that was made by hand. */
    private Optional<TargetRun> toTargetRun(T run) {
        var adapter = runner.adapter();
        String workflow = RunLabels.annotation(run, RunLabels.WORKFLOW_ID).orElse("");
        Optional<String> suspended = adapter.isSuspended(run) ? Optional.of(runner.versionOf(run)) : Optional.empty();
        return RunLabels.executionRef(run)
                .filter(execution -> RunLabels.hasDerivedName(run))
                .map(execution -> new TargetRun(execution, workflow, runner.toRunRef(run), suspended, hasEnded(run)));
    }

    /**
     * Returns whether the run has ended with everything that it created. One that was withdrawn before anything was
     * created for it can never run, even if its executor is still away.
     */
    private boolean hasEnded(T run) {
        try {
            Observation observed = runner.observe(run);
            return observed instanceof Observation.Succeeded || observed instanceof Observation.Failed;
        } catch (IllegalStateException notCertainYet) {
            return false;
        }
    }
}
