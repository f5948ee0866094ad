package dev.escapement.engine;

import dev.escapement.common.WorkQueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When to call {@link Engine#advance} again. */
public final class Requeue {

    /** A write conflicted, or another step is due. */
    public static final Requeue IMMEDIATELY = new Requeue("IMMEDIATELY", Optional.empty());

    /** When the execution, its run or its target changes. */
    public static final Requeue ON_CHANGE = new Requeue("ON_CHANGE", Optional.empty());

    /** Not again: the execution has finished. */
    public static final Requeue NEVER = new Requeue("NEVER", Optional.empty());

    private final String name;
    private final Optional<Instant> deadline;

    private Requeue(String name, Optional<Instant> deadline) {
        this.name = name;
        this.deadline = deadline;
    }

    /** When the execution or its target changes, and at this time at the latest. */
    public static Requeue at(Instant deadline) {
        return new Requeue("AT " + deadline, Optional.of(deadline));
    }

    /** Returns this one, or {@link #at} an earlier time. Only {@link #ON_CHANGE} and {@link #at} can become earlier. */
    Requeue noLaterThan(Optional<Instant> limit) {
        boolean earlier = limit.isPresent()
                && (this == ON_CHANGE || deadline.filter(limit.get()::isBefore).isPresent());
        return earlier ? at(limit.get()) : this;
    }

    /** Returns the time of {@link #at}; empty for the constants. */
    public Optional<Instant> deadline() {
        return deadline;
    }

    /** Returns what a work queue has to do. */
    public WorkResult toWorkResult(Instant now) {
        if (this == IMMEDIATELY) {
            return WorkResult.CONFLICT;
        }
        // A millisecond more: a timer that is a little early would only be set again.
        return deadline.map(at -> Duration.between(now, at).plusMillis(1))
                .map(delay -> delay.isNegative() ? Duration.ZERO : delay)
                .map(WorkResult::after)
                .orElse(WorkResult.DONE);
    }

    @Override
    public String toString() {
        return name;
    }
}
