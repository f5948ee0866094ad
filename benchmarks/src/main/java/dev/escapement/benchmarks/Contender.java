package dev.escapement.benchmarks;

import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import dev.escapement.backoff.Backoff;
import dev.failsafe.RetryPolicy;
import io.github.resilience4j.core.IntervalFunction;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Whose waits are measured, by which call, and what a reader has to know to judge the number. */
enum Contender {
    DELAY_NANOS(Kind.NUMBER, "delayNanos", "delayNanos(n)", Backoff.class, ""),

    DELAY(Kind.DURATION, "delay", "delay(n)", Backoff.class, ""),

    RESILIENCE4J(Kind.NUMBER, "resilience4j", "resilience4j", IntervalFunction.class, """
            IntervalFunction.ofExponentialRandomBackoff(30 s, 2, 0.1, 5 min).apply(n): boxed milliseconds. Each call
            walks a stream from the first interval. It jitters the interval before any cap, then clamps: from attempt 5
            every wait is exactly 5 min. At 1,000,000 it allocates 24 MB, or below 1 kB in a JVM that compiles the
            boxing away: the median is one or the other, or between them."""),

    FAILSAFE(Kind.NUMBER, "failsafe", "Failsafe", RetryPolicy.class, """
            RetryPolicyExecutor.onFailure after n-1 failures: no call gives just the delay. Includes the decision to
            retry and its result object; leaves out its clock and locks. Attempt n from scratch costs n such steps.
            It jitters after the cap: waits reach 5 min 30 s."""),

    AWS_SDK(Kind.DURATION, "awsSdk", "AWS SDK", BackoffStrategy.class, """
            BackoffStrategy.exponentialDelay(30 s, 5 min).computeDelay(n + 1): it counts tries, so that the wait after
            failure n is the one before try n + 1. Full jitter only: from zero to the nominal wait."""),

    GAX(Kind.DURATION, "gax", "gax", ExponentialRetryAlgorithm.class, """
            ExponentialRetryAlgorithm.createNextAttempt after n-1 failures. Includes the next RPC timeout and its new
            state. Attempt n from scratch costs n such steps. Full jitter only: from zero to the nominal wait.""");

    /** What comes out; only like is compared with like. */
    enum Kind {
        NUMBER,
        DURATION;

        Contender ours() {
            return this == NUMBER ? DELAY_NANOS : DELAY;
        }
    }

    private final Kind kind;
    private final String benchmark;
    private final String label;
    private final Class<?> home;
    private final String note;

    Contender(Kind kind, String benchmark, String label, Class<?> home, String note) {
        this.kind = kind;
        this.benchmark = benchmark;
        this.label = label;
        this.home = home;
        this.note = note;
    }

    static List<Contender> peers() {
        return Stream.of(values()).filter(contender -> !contender.isOurs()).toList();
    }

    boolean isOurs() {
        return this == kind.ours();
    }

    Kind kind() {
        return kind;
    }

    /** What measures it. */
    Trial trial(int attempt) {
        return new Trial(BackoffBenchmark.class, benchmark, "attempt", Integer.toString(attempt));
    }

    String label() {
        return label;
    }

    String note() {
        return note;
    }

    /** The jar that was measured: a number without its version is worth nothing. */
    String jar() {
        URL url = home.getProtectionDomain().getCodeSource().getLocation();
        return url.getPath().replaceFirst(".*/(.+)$", "$1");
    }

    /** Once, from scratch, with all the steps that lead to this attempt. */
    Object ask(int attempt) {
        return switch (this) {
            case DELAY_NANOS -> Backoff.standard().delayNanos(attempt);
            case DELAY -> Backoff.standard().delay(attempt);
            case RESILIENCE4J -> Peers.resilience4j().apply(attempt);
            case FAILSAFE -> Peers.failsafe(attempt);
            case AWS_SDK -> Peers.awsSdk().computeDelay(attempt + 1);
            case GAX -> Peers.gaxAfter(attempt, Peers.gax());
        };
    }
}
