package dev.escapement.common;

import static java.util.concurrent.CompletableFuture.delayedExecutor;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs repeated failures of one activity without flooding the log: a warning for the first failure, a reminder every
 * {@link #REMINDER_INTERVAL} while it lasts, and one line when the activity has recovered. Every failure is logged at
 * level debug with its stack trace. Thread-safe.
 */
public final class FailureLog {

    /** The time between two warnings about the same failure series. */
    public static final Duration REMINDER_INTERVAL = Duration.ofMinutes(1);

    /**
     * The recovery period of calls that take up to 15 s to fail and are retried after 10 s at the latest: an activity
     * that still fails has failed again by then.
     */
    public static final Duration RECOVERY_PERIOD = Duration.ofSeconds(30);

    private final Logger log;
    private final String activity;
    private final LongSupplier ticker;
    private final Executor recoveryScheduler;

    /** Zero while all is well; read without the lock, because that is nearly always. */
    private volatile int failureCount;

    private long lastWarning;
    private boolean succeededSinceFailure;
    private boolean recoveryCheckScheduled;

    /**
     * Logs the recovery with the first success.
     *
     * @param activity the beginning of a sentence, such as {@code Reconciling executions}
     */
    public FailureLog(Logger log, String activity) {
        this(log, activity, System::nanoTime, Runnable::run);
    }

    /**
     * Logs the recovery only after {@code recoveryPeriod} without a failure, for activities of which some attempts
     * succeed while others fail.
     *
     * @param activity the beginning of a sentence, such as {@code Calling the API server}
     * @param recoveryPeriod longer than a failing attempt and its retry delay take together
     */
    public FailureLog(Logger log, String activity, Duration recoveryPeriod) {
        this(log, activity, System::nanoTime, delayedExecutor(recoveryPeriod.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * @param ticker a monotonic clock in nanoseconds such as {@link System#nanoTime}
     * @param recoveryScheduler runs its task when the recovery period is over
     */
    FailureLog(Logger log, String activity, LongSupplier ticker, Executor recoveryScheduler) {
        this.log = log;
        this.activity = activity;
        this.ticker = ticker;
        this.recoveryScheduler = recoveryScheduler;
    }

    /** Records a failed attempt that will be retried. */
    public void recordFailure(Throwable failure) {
        record("", failure);
    }

    /**
     * Records a failed attempt that will be retried.
     *
     * @param subject what the attempt was about, such as the name of an execution
     */
    public void recordFailure(String subject, Throwable failure) {
        record(" for " + subject, failure);
    }

    /**
     * Records a failed attempt that will be retried. Only the first attempt for a subject counts: one subject that
     * always fails neither fills the log nor hides that others fail too.
     *
     * @param attempt which attempt in a row for this subject failed, from 1
     */
    public void recordFailure(String subject, int attempt, Throwable failure) {
        if (attempt <= 1) {
            record(" for " + subject, failure);
        } else {
            log.debug("{} failed for {} (attempt {})", activity, subject, attempt, failure);
        }
    }

    private synchronized void record(String suffix, Throwable failure) {
        log.debug("{} failed{}", activity, suffix, failure);
        failureCount++;
        succeededSinceFailure = false;
        long now = ticker.getAsLong();
        if (failureCount == 1) {
            lastWarning = now;
            log.warn("{} failed{}, will retry: {}", activity, suffix, failure.toString());
        } else if (now - lastWarning >= REMINDER_INTERVAL.toNanos()) {
            lastWarning = now;
            String last = suffix + ": " + failure;
            log.warn("{} is still failing: failures={}, the last{}", activity, failureCount, last);
        }
    }

    /** Records a successful attempt. Cheap while there is no failure. */
    public void recordSuccess() {
        if (failureCount > 0) {
            scheduleRecoveryCheck();
        }
    }

    private void scheduleRecoveryCheck() {
        int failuresNow;
        synchronized (this) {
            succeededSinceFailure = failureCount > 0;
            if (!succeededSinceFailure || recoveryCheckScheduled) {
                return;
            }
            recoveryCheckScheduled = true;
            failuresNow = failureCount;
        }
        recoveryScheduler.execute(() -> checkRecovered(failuresNow));
    }

    private void checkRecovered(int failuresThen) {
        boolean checkAgain;
        synchronized (this) {
            recoveryCheckScheduled = false;
            if (failureCount == failuresThen) {
                log.info("{} recovered: failures={}", activity, failureCount);
                failureCount = 0;
            }
            checkAgain = failureCount > 0 && succeededSinceFailure;
        }
        if (checkAgain) {
            scheduleRecoveryCheck();
        }
    }
}
