package dev.escapement.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Polls, every 20 ms, until a condition of another thread, process or server is true. */
public final class ConditionPoller {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private ConditionPoller() {}

    /**
     * Waits until the condition is true.
     *
     * @param what the condition as text, for the message of a failure
     * @throws IllegalStateException if it is still false after 90 s
     */
    public static void await(String what, Callable<Boolean> condition) {
        await(what, DEFAULT_TIMEOUT, condition);
    }

    /**
     * Waits until the condition is true.
     *
     * @throws IllegalStateException if it is still false after the timeout
     */
    public static void await(String what, Duration timeout, Callable<Boolean> condition) {
        await(() -> what, timeout, condition);
    }

    /**
     * Waits until the condition is true.
     *
     * @param what called after the timeout, so that it can describe the last state
     * @throws IllegalStateException if it is still false after the timeout
     */
    public static void await(Supplier<String> what, Duration timeout, Callable<Boolean> condition) {
        if (!isTrueWithin(timeout, condition)) {
            throw new IllegalStateException("waited %d s in vain until %s".formatted(timeout.toSeconds(), what.get()));
        }
    }

    /**
     * Returns the first value that satisfies the condition.
     *
     * @throws IllegalStateException if there is none after 90 s; the message has the last value
     */
    public static <T> T await(String what, Supplier<T> value, Predicate<T> condition) {
        return awaitPresent(
                () -> what + "; last value: " + value.get(),
                () -> Optional.ofNullable(value.get()).filter(condition));
    }

    /**
     * Returns the first value that is present.
     *
     * @throws IllegalStateException if there is none after 90 s
     */
    public static <T> T awaitPresent(String what, Supplier<Optional<T>> value) {
        return awaitPresent(() -> what, value);
    }

    private static <T> T awaitPresent(Supplier<String> what, Supplier<Optional<T>> value) {
        long end = System.nanoTime() + DEFAULT_TIMEOUT.toNanos();
        Optional<T> found = value.get();
        while (found.isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "waited %d s in vain until %s".formatted(DEFAULT_TIMEOUT.toSeconds(), what.get()));
            }
            sleep(POLL_INTERVAL);
            found = value.get();
        }
        return found.get();
    }

    /** Returns whether the condition becomes true within the timeout. */
    public static boolean isTrueWithin(Duration timeout, Callable<Boolean> condition) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!call(condition)) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            sleep(POLL_INTERVAL);
        }
        return true;
    }

    /** Returns whether the condition stays true for that time. */
    public static boolean holdsFor(Duration time, Callable<Boolean> condition) {
        return !isTrueWithin(time, () -> !condition.call());
    }

    private static boolean call(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Returns after that time.
     *
     * @throws IllegalStateException if the thread is interrupted
     */
    public static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting");
            }
        }
    }
}
