package dev.escapement.server.http.system;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Liveness and readiness of the server. Readiness is checked at most once a second. */
public final class HealthChecks {

    private static final long CACHE_NANOS = 1_000_000_000L;

    /**
     * A named check.
     *
     * @param probe returns the problem, or empty if there is none; may throw
     */
    public record Check(String name, Supplier<Optional<String>> probe) {

        /** Returns a check that reports a problem while the condition is false. */
        public static Check of(String name, BooleanSupplier condition, String problem) {
            return new Check(name, () -> condition.getAsBoolean() ? Optional.empty() : Optional.of(problem));
        }
    }

    /**
     * The results of all checks, as they are sent.
     *
     * @param status {@code ok} or {@code failing}
     * @param checks by name: {@code ok} or the problem
     */
    public record Report(String status, Map<String, String> checks) {

        private static final String OK = "ok";

        static Report run(Iterable<Check> checks) {
            Map<String, String> results = new LinkedHashMap<>();
            checks.forEach(check -> results.put(check.name(), runCheck(check)));
            return new Report(results.values().stream().allMatch(OK::equals) ? OK : "failing", results);
        }

        private static String runCheck(Check check) {
            try {
                return check.probe().get().orElse(OK);
            } catch (RuntimeException failure) {
                // Without the message: probes are not authenticated.
                return "does not answer (" + failure.getClass().getSimpleName() + ")";
            }
        }

        boolean healthy() {
            return status.equals(OK);
        }
    }

    private final Iterable<Check> livenessChecks;
    private final Iterable<Check> readinessChecks;
    private final LongSupplier ticker;
    private Optional<Report> lastReady = Optional.empty();
    private long lastReadyAt;

    /** @param ticker a monotonic clock such as {@link System#nanoTime} */
    public HealthChecks(Iterable<Check> livenessChecks, Iterable<Check> readinessChecks, LongSupplier ticker) {
        this.livenessChecks = livenessChecks;
        this.readinessChecks = readinessChecks;
        this.ticker = ticker;
    }

    Report checkLiveness() {
        return Report.run(livenessChecks);
    }

    /** Callers that waited for a check share its result, however long it took. */
    synchronized Report checkReadiness() {
        if (lastReady.isEmpty() || ticker.getAsLong() - lastReadyAt >= CACHE_NANOS) {
            lastReady = Optional.of(Report.run(readinessChecks));
            lastReadyAt = ticker.getAsLong();
        }
        return lastReady.get();
    }
}
