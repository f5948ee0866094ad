package dev.escapement.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what another process or thread does. */
public final class ConditionPoller {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private ConditionPoller() {}

    /** Looks until it is so; fails with what it saw last. */
    public static <T> T await(String what, Supplier<T> look, Predicate<T> enough) {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        T seen = look.get();
        try {
            while (!enough.test(seen)) {
                if (System.nanoTime() > deadline || never.await(20, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError("in vain waited until " + what + "; saw " + seen);
                }
                seen = look.get();
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted while waiting until " + what, interrupted);
        }
        return seen;
    }

    /** Looks until it is so. */
    public static void await(String what, Supplier<Boolean> condition) {
        await(what, condition, so -> so);
    }

    /** Whether it stays so for that long. */
    public static boolean holdsFor(Duration time, Supplier<Boolean> condition) {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + time.toNanos();
        boolean so = condition.get();
        try {
            while (so && System.nanoTime() < deadline && !never.await(20, TimeUnit.MILLISECONDS)) {
                so = condition.get();
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted while watching", interrupted);
        }
        return so;
    }
}
