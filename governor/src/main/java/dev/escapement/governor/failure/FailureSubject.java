package dev.escapement.governor.failure;

/**
 * The workflow and the target that a failure summary names.
 *
 * @param workflow the workflow's id as requested
 * @param target as requested; not necessarily a valid {@link dev.escapement.governor.Target}
 */
public record FailureSubject(String workflow, String target) {}
