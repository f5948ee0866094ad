package dev.escapement.governor.failure;

/** A container or process of a task. */
public record StepFacts(String name, Role role, StepState state) {

    /** Whose code it runs. If several failed, the first in this order is the origin of the failure. */
    public enum Role {
        /** A step of the workflow. */
        STEP,
        /** The workflow's own code beside the steps: counts as a started step. */
        SIDECAR,
        /**
         * Belongs to the executor or the platform, such as an init container or the proxy of a service mesh. It can be
         * the origin of a failure, but it does not touch the target, so it does not count as a started step.
         */
        SETUP
    }

    public static StepFacts step(String name, StepState state) {
        return new StepFacts(name, Role.STEP, state);
    }

    public static StepFacts sidecar(String name, StepState state) {
        return new StepFacts(name, Role.SIDECAR, state);
    }

    boolean isWorkflowStep() {
        return role != Role.SETUP;
    }
}
