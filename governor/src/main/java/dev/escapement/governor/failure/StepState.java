package dev.escapement.governor.failure;

import java.time.Instant;
import java.util.Optional;

/** The last known state of a step, which is a container or a process on this machine. */
public sealed interface StepState {

    /** The executor's reason for the state, empty if it has none. */
    default String reason() {
        return "";
    }

    /** The executor's or the step's text, empty if there is none. Untrusted: a step can write anything. */
    default String message() {
        return "";
    }

    /** When the step started, if it did and that is known. */
    default Optional<Instant> startedAt() {
        return Optional.empty();
    }

    /**
     * A container that waits for its start. If it was started before (it has a restart count or a last state), that
     * start is a step of its own in {@link TaskFacts#earlierSteps}. A container that a finished pod does not list was
     * not seen, and is not waiting.
     *
     * @param reason empty if there is none, as in a pod without a node
     */
    record Waiting(String reason, String message) implements StepState {}

    /**
     * A step that certainly never started and no longer can: its command does not exist, the container runtime could
     * not start it, or the executor gave it up while it was waiting.
     */
    record NeverStarted(String reason, String message) implements StepState {}

    /** A container or process that was started and is not known to have ended. */
    record Running(Optional<Instant> startedAt) implements StepState {}

    /**
     * A container or process that was started and has ended.
     *
     * @param exitCode empty if a signal ended it, or if its end was not observed
     * @param signal the number of the signal that ended it, if known
     */
    record Terminated(
            Optional<Integer> exitCode,
            Optional<Integer> signal,
            String reason,
            String message,
            Optional<Instant> startedAt)
            implements StepState {

        /** Returns whether the step ended with an error that the workflow does not ignore. */
        boolean isError(ReasonTable reasons) {
            // The kernel may have killed a child of a program that then exited with code 0.
            boolean outOfMemory = reason.equals(FailureReason.OOMKilled.name());
            return outOfMemory || (!reasons.isIgnored(reason) && (signal.isPresent() || exitCode.orElse(0) != 0));
        }

        /** Returns whether it started and its end was not observed. */
        boolean hasUnknownEnd() {
            return exitCode.isEmpty() && signal.isEmpty();
        }

        /** Returns the exit code, or for a signal 128 + its number, as a shell does. */
        Optional<Integer> shellExitCode() {
            return exitCode.or(() -> signal.map(number -> 128 + number));
        }
    }
}
