package dev.escapement.kubernetes.operator;

import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
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
final class RunEvents implements ResourceEventHandler<HasMetadata> {

    private final SimpleInboundEventSource<WorkflowExecution> executions =
            new SimpleInboundEventSource<>("runs-of-executions");
    private final SimpleInboundEventSource<RemediationTarget> targets =
            new SimpleInboundEventSource<>("runs-on-targets");
    private final Consumer<HasMetadata> seen;

    /** @param seen hears of every run */
    RunEvents(Consumer<HasMetadata> seen) {
        this.seen = seen;
    }

    SimpleInboundEventSource<WorkflowExecution> executions() {
        return executions;
    }

    SimpleInboundEventSource<RemediationTarget> targets() {
        return targets;
    }

    /** Has a target looked at, whatever runs there. */
    void wake(String target) {
        targets.propagateEvent(new ResourceID(target));
    }

    @Override
    public void onAdd(HasMetadata run) {
        tell(run);
    }

    @Override
    public void onUpdate(HasMetadata old, HasMetadata run) {
        if (!old.getMetadata().getResourceVersion().equals(run.getMetadata().getResourceVersion())) {
            tell(run);
        }
    }

    @Override
    public void onDelete(HasMetadata run, boolean finalStateUnknown) {
        tell(run);
    }

    private void tell(HasMetadata run) {
        RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .map(namespace -> new ResourceID(name, namespace)))
                .ifPresent(executions::propagateEvent);
        Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get(RunLabels.TARGET)))
                .ifPresent(this::wake);
        seen.accept(run);
    }
}
