package dev.escapement.kubernetes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that something does not work, from time to time that it still does not, and once that it does again: an API
 * server that is away for a minute, or refuses every tenth call, is a few lines in the log, not a thousand.
 */
public final class Troubles {

    /**
     * So long nothing may fail before it counts as working again. A call may take 15 s to fail and is tried again after
     * 10 s at the latest, so that what still fails has failed once more by then.
     */
    public static final Duration QUIET = Duration.ofSeconds(30);

    /** The time between two lines about the same trouble. */
    static final Duration REMINDER = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

    private final String what;
    private final LongSupplier nanos;
    private final Executor afterQuiet;
    private final Consumer<String> warning;
    private final Consumer<String> relief;

    /** Zero while all is well; read without the lock, because that is nearly always. */
    private volatile int failures;

    private long said;
    private boolean workedSince;
    private boolean waiting;

    /** @param what does not work or works again, as the beginning of a sentence */
    public Troubles(String what) {
        this(
                what,
                System::nanoTime,
                CompletableFuture.delayedExecutor(QUIET.toNanos(), TimeUnit.NANOSECONDS),
                LOG::warn,
                LOG::info);
    }

    /**
     * @param nanos a steady clock such as {@link System#nanoTime}
     * @param afterQuiet runs what it is given when {@link #QUIET} is over
     */
    Troubles(String what, LongSupplier nanos, Executor afterQuiet, Consumer<String> warning, Consumer<String> relief) {
        this.what = what;
        this.nanos = nanos;
        this.afterQuiet = afterQuiet;
        this.warning = warning;
        this.relief = relief;
    }

    /** It did not work for somebody. */
    public synchronized void failed(String whom, Throwable failure) {
        LOG.debug("{} does not work for {}", what, whom, failure);
        failures++;
        workedSince = false;
        long now = nanos.getAsLong();
        if (failures == 1) {
            said = now;
            warning.accept("%s does not work for %s, trying again until it does: %s".formatted(what, whom, failure));
        } else if (now - said >= REMINDER.toNanos()) {
            said = now;
            warning.accept("%s still does not work well: %d attempts have failed, the last for %s: %s"
                    .formatted(what, failures, whom, failure));
        }
    }

    /** It worked. */
    public void worked() {
        if (failures > 0) {
            calmDown();
        }
    }

    private synchronized void calmDown() {
        workedSince = failures > 0;
        if (workedSince && !waiting) {
            waiting = true;
            int known = failures;
            afterQuiet.execute(() -> isCalm(known));
        }
    }

    private synchronized void isCalm(int known) {
        waiting = false;
        if (failures == known) {
            relief.accept("%s works again, after %d attempts that failed".formatted(what, failures));
            failures = 0;
        } else if (workedSince) {
            calmDown();
        }
    }
}
