package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/** One container or process of a task. */
public record StepFacts(String name, Role role, StepState state) {

    /** Whose code it runs. In the order in which they are blamed if several have failed. */
    public enum Role {
        /** A step of the workflow. */
        STEP,
        /** Runs beside the steps, and is the workflow's own code: if it ran, something ran. */
        SIDECAR,
        /**
         * Belongs to the executor or the platform: Tekton's {@code prepare}, {@code place-scripts} and
         * {@code working-dir-initializer}, a mesh's proxy. It can explain a failure, but it touches nothing of the
         * target, so that it ran says nothing about the steps.
         */
        SETUP
    }

    /** Nothing is null. */
    public StepFacts {
        requireNonNull(name, "name is null");
        requireNonNull(role, "role is null");
        requireNonNull(state, "state is null");
    }

    /** A step of the workflow. */
    public static StepFacts step(String name, StepState state) {
        return new StepFacts(name, Role.STEP, state);
    }

    /** A sidecar of the workflow. */
    public static StepFacts sidecar(String name, StepState state) {
        return new StepFacts(name, Role.SIDECAR, state);
    }

    /** Something of the executor or the platform. */
    public static StepFacts setup(String name, StepState state) {
        return new StepFacts(name, Role.SETUP, state);
    }

    boolean isWorkflowStep() {
        return role != Role.SETUP;
    }

    Optional<Instant> startedAt() {
        if (state instanceof StepState.Running running) {
            return running.startedAt();
        }
        return state instanceof StepState.Terminated terminated ? terminated.startedAt() : Optional.empty();
    }
}
