package dev.escapement.kubernetes.controller;

import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Wakes whoever a run belongs to, when anything of it changes: its execution by the annotations, its target by the
 * label. The framework does not watch runs itself, because one watch of each kind serves executions and targets.
 */
final class RunEventDispatcher implements ResourceEventHandler<HasMetadata> {

    private final SimpleInboundEventSource<WorkflowExecutionResource> executionSource =
            new SimpleInboundEventSource<>("runs-of-executions");
    private final SimpleInboundEventSource<RemediationTargetResource> targetSource =
            new SimpleInboundEventSource<>("runs-on-targets");
    private final Consumer<HasMetadata> runListener;

    /** @param seen hears of every run */
    RunEventDispatcher(Consumer<HasMetadata> seen) {
        this.runListener = seen;
    }

    SimpleInboundEventSource<WorkflowExecutionResource> executionSource() {
        return executionSource;
    }

    SimpleInboundEventSource<RemediationTargetResource> targetSource() {
        return targetSource;
    }

    /** Has a target looked at, whatever runs there. */
    void triggerTarget(String target) {
        targetSource.propagateEvent(new ResourceID(target));
    }

    @Override
    public void onAdd(HasMetadata run) {
        dispatch(run);
    }

    @Override
    public void onUpdate(HasMetadata old, HasMetadata run) {
        if (!old.getMetadata().getResourceVersion().equals(run.getMetadata().getResourceVersion())) {
            dispatch(run);
        }
    }

    @Override
    public void onDelete(HasMetadata run, boolean finalStateUnknown) {
        dispatch(run);
    }

    private void dispatch(HasMetadata run) {
        RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .map(namespace -> new ResourceID(name, namespace)))
                .ifPresent(executionSource::propagateEvent);
        Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get(RunLabels.TARGET)))
                .ifPresent(this::triggerTarget);
        runListener.accept(run);
    }
}
