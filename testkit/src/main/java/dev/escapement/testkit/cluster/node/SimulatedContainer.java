package dev.escapement.testkit.cluster.node;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A container of a simulated pod and its state. Not thread-safe. */
final class SimulatedContainer {

    /**
     * The end of a container.
     *
     * @param skipped Tekton's entrypoint ended it without running the step, because an earlier one had failed
     */
    record Termination(int exitCode, String reason, Instant startedAt, Instant finishedAt, boolean skipped) {}

    private static final int SIGTERM_EXIT_CODE = 143;
    private static final String STATUS_UNKNOWN_REASON = "ContainerStatusUnknown";

    private final String name;
    private final String image;
    private final SimulatedImage behaviour;
    private Optional<Instant> startedAt = Optional.empty();
    private Optional<Instant> workStartedAt = Optional.empty();
    private Optional<Termination> termination = Optional.empty();

    SimulatedContainer(String name, String image) {
        this.name = name;
        this.image = image;
        this.behaviour = SimulatedImage.parse(image);
    }

    String name() {
        return name;
    }

    String image() {
        return image;
    }

    SimulatedImage behaviour() {
        return behaviour;
    }

    /** A container of a Tekton task, whose steps run in sequence. */
    boolean isStep() {
        return name.startsWith("step-");
    }

    boolean isPullable() {
        return !(behaviour instanceof SimulatedImage.PullFailure);
    }

    Optional<Instant> startedAt() {
        return startedAt;
    }

    Optional<Termination> termination() {
        return termination;
    }

    boolean hasFailed() {
        return termination.filter(ended -> ended.exitCode() != 0).isPresent();
    }

    void start(Instant now) {
        if (isPullable() && startedAt.isEmpty()) {
            startedAt = Optional.of(now);
        }
    }

    /**
     * Advances the container to the given time.
     *
     * @param word the value of the annotation of the pod that ends waiting containers
     * @return the time until the next change; empty if only other events change it
     */
    Optional<Duration> advance(Instant now, Optional<String> word) {
        if (startedAt.isEmpty() || termination.isPresent()) {
            return Optional.empty();
        }
        Instant since = workStartedAt.orElse(now);
        workStartedAt = Optional.of(since);
        Optional<SimulatedImage> asked = behaviour instanceof SimulatedImage.WaitForAnnotation
                ? word.flatMap(SimulatedImage::parseExit)
                : Optional.of(behaviour);
        if (asked.isPresent() && asked.get() instanceof SimulatedImage.Exit ends) {
            Duration left = Duration.between(now, since.plus(ends.after()));
            if (left.isZero() || left.isNegative()) {
                termination = Optional.of(new Termination(ends.exitCode(), ends.reason(), since, now, false));
                return Optional.empty();
            }
            return Optional.of(left);
        }
        return Optional.empty();
    }

    /** Ends it as Tekton's entrypoint does after an earlier step has failed. */
    void skip(Instant now) {
        if (startedAt.isPresent() && termination.isEmpty()) {
            termination = Optional.of(new Termination(1, "Error", now, now, true));
        }
    }

    /** Ends it because the pod is deleted. A kubelet writes an end also for a container that never started. */
    void terminate(Instant now) {
        if (termination.isEmpty()) {
            termination = Optional.of(
                    startedAt.isPresent()
                            ? new Termination(SIGTERM_EXIT_CODE, "Error", startedAt.get(), now, false)
                            : new Termination(
                                    SimulatedImage.SIGKILL_EXIT_CODE, STATUS_UNKNOWN_REASON, now, now, false));
        }
    }
}
