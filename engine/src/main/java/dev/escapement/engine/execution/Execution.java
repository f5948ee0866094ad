package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Optional;

/**
 * One execution.
 *
 * @param ref which one
 * @param metadata when it was asked for, and what people attached to it
 * @param spec what was asked for
 * @param cancelledBy who asked for it to stop, if somebody did
 * @param clearance who cleared the block that its failure had caused, if somebody did
 * @param status what became of it
 */
public record Execution(
        ExecutionRef ref,
        ExecutionMetadata metadata,
        ExecutionSpec spec,
        Optional<String> cancelledBy,
        Optional<Clearance> clearance,
        ExecutionStatus status) {

    /** None of them is null. */
    public Execution {
        requireNonNull(ref, "ref is null");
        requireNonNull(metadata, "metadata is null");
        requireNonNull(spec, "spec is null");
        requireNonNull(cancelledBy, "cancelledBy is null");
        requireNonNull(clearance, "clearance is null");
        requireNonNull(status, "status is null");
    }

    /** One that was just asked for. */
    public static Execution pending(ExecutionRef ref, Instant createdAt, ExecutionSpec spec) {
        return pending(ref, ExecutionMetadata.of(createdAt), spec);
    }

    /** One that was just asked for, with what people attached to it. */
    public static Execution pending(ExecutionRef ref, ExecutionMetadata metadata, ExecutionSpec spec) {
        return new Execution(ref, metadata, spec, Optional.empty(), Optional.empty(), new ExecutionStatus.Pending());
    }

    /** The same with another status. */
    public Execution withStatus(ExecutionStatus changed) {
        return new Execution(ref, metadata, spec, cancelledBy, clearance, changed);
    }

    /** The same, with the wish that it stops. */
    public Execution cancelledBy(String whom) {
        return new Execution(ref, metadata, spec, Optional.of(whom), clearance, status);
    }

    /** The same, with the word that the target may be tried again. */
    public Execution withClearance(Clearance given) {
        return new Execution(ref, metadata, spec, cancelledBy, Optional.of(given), status);
    }

    /** When it was asked for. */
    public Instant createdAt() {
        return metadata.createdAt();
    }

    /** The id of what it runs. */
    public String workflowId() {
        return spec.workflow().workflowId();
    }
}
