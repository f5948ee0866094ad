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
public final class KubernetesFailureLog {

    /**
     * So long nothing may fail before it counts as working again. A call may take 15 s to fail and is tried again after
     * 10 s at the latest, so that what still fails has failed once more by then.
     */
    public static final Duration RECOVERY_PERIOD = Duration.ofSeconds(30);

    /** The time between two lines about the same trouble. */
    static final Duration REMINDER_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesFailureLog.class);

    private final String activity;
    private final LongSupplier ticker;
    private final Executor recoveryScheduler;
    private final Consumer<String> warnLog;
    private final Consumer<String> infoLog;

    /** Zero while all is well; read without the lock, because that is nearly always. */
    private volatile int failureCount;

    private long lastLogged;
    private boolean succeededSinceFailure;
    private boolean recoveryCheckScheduled;

    /** @param what does not work or works again, as the beginning of a sentence */
    public KubernetesFailureLog(String what) {
        this(
                what,
                System::nanoTime,
                CompletableFuture.delayedExecutor(RECOVERY_PERIOD.toNanos(), TimeUnit.NANOSECONDS),
                LOG::warn,
                LOG::info);
    }

    /**
     * @param nanos a steady clock such as {@link System#nanoTime}
     * @param afterQuiet runs what it is given when {@link #RECOVERY_PERIOD} is over
     */
    KubernetesFailureLog(
            String what, LongSupplier nanos, Executor afterQuiet, Consumer<String> warning, Consumer<String> relief) {
        this.activity = what;
        this.ticker = nanos;
        this.recoveryScheduler = afterQuiet;
        this.warnLog = warning;
        this.infoLog = relief;
    }

    /** It did not work for somebody. */
    public synchronized void recordFailure(String whom, Throwable failure) {
        LOG.debug("{} does not work for {}", activity, whom, failure);
        failureCount++;
        succeededSinceFailure = false;
        long now = ticker.getAsLong();
        if (failureCount == 1) {
            lastLogged = now;
            warnLog.accept(
                    "%s does not work for %s, trying again until it does: %s".formatted(activity, whom, failure));
        } else if (now - lastLogged >= REMINDER_INTERVAL.toNanos()) {
            lastLogged = now;
            warnLog.accept("%s still does not work well: %d attempts have failed, the last for %s: %s"
                    .formatted(activity, failureCount, whom, failure));
        }
    }

    /** It worked. */
    public void recordSuccess() {
        if (failureCount > 0) {
            scheduleRecoveryCheck();
        }
    }

    private synchronized void scheduleRecoveryCheck() {
        succeededSinceFailure = failureCount > 0;
        if (succeededSinceFailure && !recoveryCheckScheduled) {
            recoveryCheckScheduled = true;
            int known = failureCount;
            recoveryScheduler.execute(() -> checkRecovered(known));
        }
    }

    private synchronized void checkRecovered(int known) {
        recoveryCheckScheduled = false;
        if (failureCount == known) {
            infoLog.accept("%s works again, after %d attempts that failed".formatted(activity, failureCount));
            failureCount = 0;
        } else if (succeededSinceFailure) {
            scheduleRecoveryCheck();
        }
    }
}
