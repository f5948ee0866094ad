package dev.escapement.kubernetes.controller;

import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunReference;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails resources that pass the schema but are invalid as executions. What is missing is taken from the ledger where it
 * is known.
 */
final class InvalidExecutionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(InvalidExecutionHandler.class);
    private static final Set<String> FINAL_PHASES = Set.of("Completed", "Failed", "Skipped");
    private static final String UNKNOWN_WORKFLOW = "?";
    private static final int MAX_MESSAGE_LENGTH = 1_000;
    private static final int HTTP_UNPROCESSABLE = 422;

    private final ExecutionStore store;
    private final ResourceCache<RemediationTargetResource> targets;
    private final InstantSource clock;

    InvalidExecutionHandler(
            ExecutionStore store, ResourceCache<RemediationTargetResource> targets, InstantSource clock) {
        this.store = store;
        this.targets = targets;
        this.clock = clock;
    }

    /**
     * Writes the status Failed, unless the status is final already.
     *
     * @return an execution in place of the invalid one, if it is final and holds a target that must be released
     */
    Optional<Versioned<Execution>> failExecution(WorkflowExecutionResource resource, String problem) {
        Optional<Held> held = findHeldEntry(resource.getMetadata().getUid());
        Execution execution = toExecution(resource, held);
        ExecutionStatus.Failed failed =
                failedStatus(resource, held.map(Held::holder), SafeText.sanitize(problem, MAX_MESSAGE_LENGTH));
        String version = resource.getMetadata().getResourceVersion();
        boolean isFinal = FINAL_PHASES.contains(phase(resource))
                || writeFailedStatus(new Versioned<>(execution, version), failed, problem);
        return held.filter(entry -> isFinal).map(entry -> new Versioned<>(execution.withStatus(failed), version));
    }

    /** Returns false if the resource was changed or deleted meanwhile, which is reconciled later. */
    private boolean writeFailedStatus(Versioned<Execution> seen, ExecutionStatus.Failed failed, String problem) {
        LOG.warn("Execution {} is invalid and fails: {}", seen.value().ref(), problem);
        try {
            return store.apply(List.of(new StoreWrite.StatusUpdate(seen, failed)));
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HTTP_UNPROCESSABLE) {
                throw refused;
            }
            LOG.warn(
                    "Execution {} is invalid and its status was refused: {}",
                    seen.value().ref(),
                    refused.getMessage());
            return false;
        }
    }

    private Optional<Held> findHeldEntry(String uid) {
        return targets.all()
                .flatMap(InvalidExecutionHandler::decodeEntry)
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .filter(entry -> entry.holder().execution().hasUid(uid))
                .findFirst();
    }

    private static Stream<LedgerEntry> decodeEntry(RemediationTargetResource resource) {
        try {
            return Stream.of(LedgerEntryCodec.read(resource).value());
        } catch (IllegalArgumentException invalid) {
            return Stream.empty();
        }
    }

    private static Execution toExecution(WorkflowExecutionResource resource, Optional<Held> held) {
        ObjectMeta meta = resource.getMetadata();
        String workflow = held.map(entry -> entry.holder().workflow())
                .orElseGet(() -> specText(
                        resource,
                        spec -> Optional.ofNullable(spec.workflowRef()).map(WorkflowReference::workflowId)));
        String target = held.map(entry -> entry.target().canonical())
                .orElseGet(() -> specText(resource, spec -> Optional.ofNullable(spec.targetResource())));
        return Execution.pending(
                new ExecutionRef(meta.getNamespace(), meta.getName(), meta.getUid()),
                Instant.parse(meta.getCreationTimestamp()),
                ExecutionSpec.of(workflow.isBlank() ? UNKNOWN_WORKFLOW : workflow, target, Map.of()));
    }

    /** Whether a run was started is unknown if there may have been one. */
    private ExecutionStatus.Failed failedStatus(
            WorkflowExecutionResource resource, Optional<Holder> holder, String problem) {
        Optional<PipelineRunReference> named =
                Optional.ofNullable(resource.getStatus()).map(WorkflowExecutionStatus::pipelineRunRef);
        Optional<RunRef> run = holder.flatMap(known -> runRef(known.runName(), known.runUid()))
                .or(() -> named.flatMap(given -> runRef(
                        Optional.ofNullable(given.name()).orElse(""),
                        Optional.ofNullable(given.uid()).orElse(""))));
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

    private static String phase(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(WorkflowExecutionStatus::phase)
                .orElse("");
    }

    private static String specText(
            WorkflowExecutionResource resource, Function<WorkflowExecutionSpec, Optional<String>> field) {
        return Optional.ofNullable(resource.getSpec()).flatMap(field).orElse("");
    }
}
