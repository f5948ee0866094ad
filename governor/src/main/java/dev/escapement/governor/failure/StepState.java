package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/** What was last seen of a step: a container, or a process on this machine. */
public sealed interface StepState {

    /** The executor's word for it, empty if it has none. */
    String reason();

    /** The executor's or the step's text, empty if there is none. Not to be trusted: a step can write what it likes. */
    String message();

    /**
     * A container that the executor shows as waiting. What its reason says holds for its first start only: if it was
     * started before (it has a restart count or a last state), that is a step of its own among
     * {@link TaskFacts#earlierSteps}. A container that a finished pod does not list is not waiting, it was not seen.
     *
     * @param reason such as {@code ImagePullBackOff} or {@code ContainerCreating}; empty if it has none, as in a pod
     *     without a node
     */
    record Waiting(String reason, String message) implements StepState {
        /** Nothing is null. */
        public Waiting {
            requireNonNull(reason, "reason is null");
            requireNonNull(message, "message is null");
        }
    }

    /**
     * A step that can no longer start, and whose program certainly never did: its command does not exist, the container
     * runtime could not start it, or it was given up while it was waiting.
     *
     * @param reason such as {@code CommandNotFound} or {@code StartError}
     */
    record NeverStarted(String reason, String message) implements StepState {
        /** Nothing is null. */
        public NeverStarted {
            requireNonNull(reason, "reason is null");
            requireNonNull(message, "message is null");
        }
    }

    /** A container or process that was started and is not known to have ended. */
    record Running(Optional<Instant> startedAt) implements StepState {
        /** Nothing is null. */
        public Running {
            requireNonNull(startedAt, "startedAt is null");
        }

        @Override
        public String reason() {
            return "";
        }

        @Override
        public String message() {
            return "";
        }
    }

    /**
     * A container or process that was started and has ended.
     *
     * @param exitCode empty if a signal ended it, or if it was cut off and nobody saw how it ended
     * @param signal the number of the signal that ended it, if that is known
     */
    record Terminated(
            Optional<Integer> exitCode,
            Optional<Integer> signal,
            String reason,
            String message,
            Optional<Instant> startedAt)
            implements StepState {

        /** The workflow says to go on although this step failed. */
        private static final String CONTINUED = "Continued";
        /** A step before it failed, or its own condition did not hold. */
        private static final String SKIPPED = "Skipped";

        /** Nothing is null. */
        public Terminated {
            requireNonNull(exitCode, "exitCode is null");
            requireNonNull(signal, "signal is null");
            requireNonNull(reason, "reason is null");
            requireNonNull(message, "message is null");
            requireNonNull(startedAt, "startedAt is null");
        }

        /** It ended by itself with this code. */
        public static Terminated exited(int exitCode, String reason) {
            return new Terminated(Optional.of(exitCode), Optional.empty(), reason, "", Optional.empty());
        }

        /** A signal ended it. */
        public static Terminated killed(int signal, String reason) {
            return new Terminated(Optional.empty(), Optional.of(signal), reason, "", Optional.empty());
        }

        /** Its end is an error that brings its task down. */
        boolean isError() {
            // The kernel may have killed a child of a program that then ended as if nothing had been.
            boolean outOfMemory = reason.equals(FailureReason.OOMKilled.name());
            boolean excused = reason.equals(CONTINUED) || reason.equals(SKIPPED);
            return outOfMemory || (!excused && (signal.isPresent() || exitCode.orElse(0) != 0));
        }

        /** It was started, and nobody saw how it ended. */
        boolean hasUnknownEnd() {
            return exitCode.isEmpty() && signal.isEmpty();
        }

        /** The exit code, or what a shell makes of the signal: 128 and its number. */
        Optional<Integer> shellExitCode() {
            return exitCode.or(() -> signal.map(number -> 128 + number));
        }
    }
}
