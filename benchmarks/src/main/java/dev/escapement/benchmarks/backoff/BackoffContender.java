package dev.escapement.benchmarks.backoff;

import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import dev.escapement.backoff.Backoff;
import dev.escapement.benchmarks.jmh.JmhTrial;
import dev.failsafe.RetryPolicy;
import io.github.resilience4j.core.IntervalFunction;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** A measured library, its call, and a note for the reader of the figures. */
enum BackoffContender {
    DELAY_NANOS(ResultKind.NUMBER, "delayNanos", "delayNanos(n)", Backoff.class, ""),

    DELAY(ResultKind.DURATION, "delay", "delay(n)", Backoff.class, ""),

    RESILIENCE4J(ResultKind.NUMBER, "resilience4j", "resilience4j", IntervalFunction.class, """
            IntervalFunction.ofExponentialRandomBackoff(30 s, 2, 0.1, 5 min).apply(n): boxed milliseconds. Each call
            iterates a stream from the first interval. It jitters the interval before any cap, then clamps: from attempt 5
            every wait is exactly 5 min. At 1,000,000 it allocates 24 MB, or less than 1 kB in a JVM whose compiler
            removes the boxing: the median is one of these values, or between them."""),

    FAILSAFE(ResultKind.NUMBER, "failsafe", "Failsafe", RetryPolicy.class, """
            RetryPolicyExecutor.onFailure after n-1 failures: no call gives just the delay. Includes the decision to
            retry and its result object; excludes its clock and locks. Attempt n from the start costs n such steps.
            It jitters after the cap: waits reach 5 min 30 s."""),

    AWS_SDK(ResultKind.DURATION, "awsSdk", "AWS SDK", BackoffStrategy.class, """
            BackoffStrategy.exponentialDelay(30 s, 5 min).computeDelay(n + 1): it counts attempts, so the wait after
            failure n is the one before attempt n + 1. Full jitter only: from zero to the nominal wait."""),

    GAX(ResultKind.DURATION, "gax", "gax", ExponentialRetryAlgorithm.class, """
            ExponentialRetryAlgorithm.createNextAttempt after n-1 failures. Includes the next RPC timeout and its new
            state. Attempt n from the start costs n such steps. Full jitter only: from zero to the nominal wait.""");

    /** The type of the result; only results of the same kind are compared. */
    enum ResultKind {
        NUMBER,
        DURATION;

        BackoffContender ours() {
            return this == NUMBER ? DELAY_NANOS : DELAY;
        }
    }

    private final ResultKind kind;
    private final String benchmark;
    private final String label;
    private final Class<?> libraryClass;
    private final String note;

    BackoffContender(ResultKind kind, String benchmark, String label, Class<?> libraryClass, String note) {
        this.kind = kind;
        this.benchmark = benchmark;
        this.label = label;
        this.libraryClass = libraryClass;
        this.note = note;
    }

    static List<BackoffContender> peers() {
        return Stream.of(values()).filter(contender -> !contender.isOurs()).toList();
    }

    boolean isOurs() {
        return this == kind.ours();
    }

    ResultKind kind() {
        return kind;
    }

    JmhTrial trial(int attempt) {
        return new JmhTrial(BackoffBenchmark.class, benchmark, "attempt", Integer.toString(attempt));
    }

    String label() {
        return label;
    }

    String note() {
        return note;
    }

    /** Returns the name of the measured jar, which contains the version. */
    String jar() {
        URL url = libraryClass.getProtectionDomain().getCodeSource().getLocation();
        return url.getPath().replaceFirst(".*/(.+)$", "$1");
    }

    /** Computes one wait from the start, with all steps that lead to this attempt. */
    Object computeOnce(int attempt) {
        return switch (this) {
            case DELAY_NANOS -> Backoff.standard().delayNanos(attempt);
            case DELAY -> Backoff.standard().delay(attempt);
            case RESILIENCE4J -> PeerBackoffs.resilience4j().apply(attempt);
            case FAILSAFE -> PeerBackoffs.failsafe(attempt);
            case AWS_SDK -> PeerBackoffs.awsSdk().computeDelay(attempt + 1);
            case GAX -> PeerBackoffs.gaxStateAfter(attempt, PeerBackoffs.gax());
        };
    }
}
