package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Optional;

/**
 * One execution.
 *
 * @param ref which one
 * @param createdAt when it was asked for
 * @param spec what was asked for
 * @param cancelledBy who asked for it to stop, if somebody did
 * @param status what became of it
 */
public record Execution(
        ExecutionRef ref, Instant createdAt, ExecutionSpec spec, Optional<String> cancelledBy, Status status) {

    /** None of them is null. */
    public Execution {
        requireNonNull(ref, "ref is null");
        requireNonNull(createdAt, "createdAt is null");
        requireNonNull(spec, "spec is null");
        requireNonNull(cancelledBy, "cancelledBy is null");
        requireNonNull(status, "status is null");
    }

    /** One that was just asked for. */
    public static Execution pending(ExecutionRef ref, Instant createdAt, ExecutionSpec spec) {
        return new Execution(ref, createdAt, spec, Optional.empty(), new Status.Pending());
    }

    /** The same with another status. */
    public Execution with(Status changed) {
        return new Execution(ref, createdAt, spec, cancelledBy, changed);
    }

    /** The same, with the wish that it stops. */
    public Execution cancelledBy(String whom) {
        return new Execution(ref, createdAt, spec, Optional.of(whom), status);
    }

    /** The id of what it runs. */
    public String workflow() {
        return spec.workflow().workflowId();
    }
}
