package dev.escapement.kubernetes.controller;

import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunReference;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.mapping.RunReferenceMapper;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails resources that pass the schema but are invalid as executions. What is missing is taken from the ledger where it
 * is known.
 */
record InvalidExecutionHandler(
        ExecutionStore store, ResourceCache<RemediationTargetResource> targets, InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(InvalidExecutionHandler.class);
    private static final String UNKNOWN_WORKFLOW = "?";
    private static final int MAX_MESSAGE_LENGTH = 1_000;
    private static final int HTTP_UNPROCESSABLE = 422;

    /**
     * Writes the status Failed, unless the status is final already.
     *
     * @return an execution in place of the invalid one, if it is final and holds a target that must be released
     */
    Optional<Versioned<Execution>> failExecution(WorkflowExecutionResource resource, String problem) {
        Optional<Held> held = findHeldEntry(resource.ref());
        Execution execution = toExecution(resource, held);
        var failed = failedStatus(resource, held.map(Held::holder), SafeText.sanitize(problem, MAX_MESSAGE_LENGTH));
        String version = resource.getMetadata().getResourceVersion();
        boolean isFinal = resource.isFinal() || writeFailedStatus(new Versioned<>(execution, version), failed, problem);
        return held.filter(entry -> isFinal).map(entry -> new Versioned<>(execution.withStatus(failed), version));
    }

    /** Returns false if the resource was changed or deleted meanwhile, which is reconciled later. */
    private boolean writeFailedStatus(Versioned<Execution> seen, ExecutionStatus.Failed failed, String problem) {
        var ref = seen.value().ref();
        LOG.warn("Execution {} is invalid and fails: {}", ref, problem);
        try {
            return store.apply(List.of(new StoreWrite.StatusUpdate(seen, failed)));
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HTTP_UNPROCESSABLE) {
                throw refused;
            }
            LOG.warn("Execution {} is invalid and its status was refused: {}", ref, refused.getMessage());
            return false;
        }
    }

    private Optional<Held> findHeldEntry(ExecutionRef holder) {
        return targets.all()
                .flatMap(resource -> resource.readValid().stream())
                .flatMap(entry -> entry.heldBy(holder).stream())
                .findFirst();
    }

    private static Execution toExecution(WorkflowExecutionResource resource, Optional<Held> held) {
        Optional<WorkflowExecutionSpec> spec = Optional.ofNullable(resource.getSpec());
        String workflow = held.map(entry -> entry.holder().workflow())
                .or(() -> spec.map(WorkflowExecutionSpec::workflowRef).map(WorkflowReference::workflowId))
                .filter(id -> !id.isBlank())
                .orElse(UNKNOWN_WORKFLOW);
        String target = held.map(entry -> entry.target().canonical())
                .or(() -> spec.map(WorkflowExecutionSpec::targetResource))
                .orElse("");
        return Execution.pending(
                resource.ref(),
                Instant.parse(resource.getMetadata().getCreationTimestamp()),
                ExecutionSpec.of(workflow, target, Map.of()));
    }

    /** Whether a run was started is unknown if there may have been one. */
    private ExecutionStatus.Failed failedStatus(
            WorkflowExecutionResource resource, Optional<Holder> holder, String problem) {
        Optional<PipelineRunReference> named =
                Optional.ofNullable(resource.getStatus()).map(WorkflowExecutionStatus::pipelineRunRef);
        Optional<RunRef> run = holder.flatMap(known -> runRef(known.runName(), known.runUid()))
                .or(() -> named.flatMap(RunReferenceMapper::fromRecord));
        boolean mayHaveRun = run.isPresent() || named.isPresent();
        Failure failure = new Failure(
                FailureReason.ValidationError,
                problem,
                clock.instant(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "The resource is invalid: " + problem + ". Delete it and create a valid one.",
                mayHaveRun ? StartStatus.UNKNOWN : StartStatus.NO);
        ExecutionOutcome outcome = mayHaveRun
                ? new ExecutionOutcome.FailedDuringExecution(failure.reason().name())
                : new ExecutionOutcome.Withdrawn();
        return new ExecutionStatus.Failed(run, holder.map(Holder::since), RunProgress.UNKNOWN, failure, outcome);
    }

    private static Optional<RunRef> runRef(String name, String uid) {
        return name.isEmpty() || uid.isEmpty() ? Optional.empty() : Optional.of(new RunRef(name, uid));
    }
}
