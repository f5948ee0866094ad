package dev.escapement.engine.execution;

import dev.escapement.api.ApiGroup;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.GateRequest.WaitTerms;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution of a workflow on a target.
 *
 * @param cancelledBy who requested its cancellation, if any
 * @param clearance the clearance of the block that its failure caused, if any
 */
public record Execution(
        ExecutionRef ref,
        ExecutionMetadata metadata,
        ExecutionSpec spec,
        Optional<String> cancelledBy,
        Optional<Clearance> clearance,
        ExecutionStatus status) {

    public static Execution pending(ExecutionRef ref, Instant createdAt, ExecutionSpec spec) {
        return pending(ref, ExecutionMetadata.of(createdAt), spec);
    }

    public static Execution pending(ExecutionRef ref, ExecutionMetadata metadata, ExecutionSpec spec) {
        return new Execution(ref, metadata, spec, Optional.empty(), Optional.empty(), new ExecutionStatus.Pending());
    }

    public Execution withStatus(ExecutionStatus changed) {
        return new Execution(ref, metadata, spec, cancelledBy, clearance, changed);
    }

    public Execution cancelledBy(String actor) {
        return new Execution(ref, metadata, spec, Optional.of(actor), clearance, status);
    }

    public Execution withClearance(Clearance given) {
        return new Execution(ref, metadata, spec, cancelledBy, Optional.of(given), status);
    }

    /** Returns this execution with the name of who created it; replaces any other. */
    public Execution createdBy(String actor) {
        return new Execution(
                ref, metadata.withAnnotation(ApiGroup.CREATED_BY, actor), spec, cancelledBy, clearance, status);
    }

    /** Returns who created it; empty if that is unknown. */
    public Optional<String> createdBy() {
        return Optional.ofNullable(metadata.annotations().get(ApiGroup.CREATED_BY))
                .filter(actor -> !actor.isBlank());
    }

    /** Returns this execution as the holder of its target, with the only run that it may start. */
    public Holder asHolder(RunRef run, Instant since) {
        return new Holder(ref, workflowId(), run.uid(), run.name(), since);
    }

    /** Returns whether it may wait for its target: it is not decided, not cancelled, and not to be skipped instead. */
    public boolean isWaiting() {
        return status instanceof ExecutionStatus.Pending
                && cancelledBy.isEmpty()
                && spec.conflict().waitLimit().isPresent();
    }

    /** Returns its request to the gate. */
    public GateRequest gateRequest(Target target) {
        boolean queued = status instanceof ExecutionStatus.Pending pending
                && pending.details().isPresent();
        Optional<WaitTerms> wait = spec.conflict()
                .waitLimit()
                .map(limit -> new WaitTerms(createdAt().plus(limit), queued));
        return new GateRequest(ref, workflowId(), target, createdAt(), wait);
    }

    public Instant createdAt() {
        return metadata.createdAt();
    }

    public String workflowId() {
        return spec.workflow().workflowId();
    }
}
