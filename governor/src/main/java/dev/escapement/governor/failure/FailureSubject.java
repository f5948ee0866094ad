package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

/**
 * What ran on what, for the sentences about it.
 *
 * @param workflow the workflow's id as requested
 * @param target as requested: it may be no {@link dev.escapement.governor.Target} at all, and that be the failure
 */
public record FailureSubject(String workflow, String target) {

    /** Nothing is null. */
    public FailureSubject {
        requireNonNull(workflow, "workflow is null");
        requireNonNull(target, "target is null");
    }
}
