package dev.escapement.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A container of a simulated pod, and how far it got. Used by one thread at a time. */
final class SimulatedContainer {

    /**
     * How it ended.
     *
     * @param skipped Tekton's entrypoint ended it without running the step, because an earlier one had failed
     */
    record End(int exitCode, String reason, Instant startedAt, Instant finishedAt, boolean skipped) {}

    private static final int TERMINATED = 143;
    private static final String NEVER_WAS = "ContainerStatusUnknown";

    private final String name;
    private final String image;
    private final SimulatedImage behaviour;
    private Optional<Instant> startedAt = Optional.empty();
    private Optional<Instant> workingSince = Optional.empty();
    private Optional<End> end = Optional.empty();

    SimulatedContainer(String name, String image) {
        this.name = name;
        this.image = image;
        this.behaviour = SimulatedImage.of(image);
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

    /** A container of a Tekton task; these take turns. */
    boolean isStep() {
        return name.startsWith("step-");
    }

    boolean canBePulled() {
        return !(behaviour instanceof SimulatedImage.PullFailure);
    }

    Optional<Instant> startedAt() {
        return startedAt;
    }

    Optional<End> end() {
        return end;
    }

    boolean failed() {
        return end.filter(ended -> ended.exitCode() != 0).isPresent();
    }

    void start(Instant now) {
        if (canBePulled() && startedAt.isEmpty()) {
            startedAt = Optional.of(now);
        }
    }

    /**
     * Lets it work, as long as it takes.
     *
     * @param word what the pod's annotation says about the end of those that wait for it
     * @return how long until it has to be looked at again; empty if time alone changes nothing
     */
    Optional<Duration> work(Instant now, Optional<String> word) {
        if (startedAt.isEmpty() || end.isPresent()) {
            return Optional.empty();
        }
        Instant since = workingSince.orElse(now);
        workingSince = Optional.of(since);
        Optional<SimulatedImage> asked = behaviour instanceof SimulatedImage.Waits
                ? word.flatMap(SimulatedImage::ending)
                : Optional.of(behaviour);
        if (asked.isPresent() && asked.get() instanceof SimulatedImage.Ends ends) {
            Duration left = Duration.between(now, since.plus(ends.after()));
            if (left.isZero() || left.isNegative()) {
                end = Optional.of(new End(ends.exitCode(), ends.reason(), since, now, false));
                return Optional.empty();
            }
            return Optional.of(left);
        }
        return Optional.empty();
    }

    /** Ends it as Tekton's entrypoint does when an earlier step has failed. */
    void skip(Instant now) {
        if (startedAt.isPresent() && end.isEmpty()) {
            end = Optional.of(new End(1, "Error", now, now, true));
        }
    }

    /** Ends it because the pod goes. A kubelet writes an end also for one that never was, in words that say so. */
    void terminate(Instant now) {
        if (end.isEmpty()) {
            end = Optional.of(
                    startedAt.isPresent()
                            ? new End(TERMINATED, "Error", startedAt.get(), now, false)
                            : new End(SimulatedImage.KILLED, NEVER_WAS, now, now, false));
        }
    }
}
