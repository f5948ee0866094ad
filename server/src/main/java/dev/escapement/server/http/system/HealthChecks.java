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
     * @param vital whether the server counts as failing while there is a problem; otherwise it counts as degraded,
     *     which does not take it out of service
     * @param probe returns the problem, or empty if there is none; may throw
     */
    public record Check(String name, boolean vital, Supplier<Optional<String>> probe) {

        public Check(String name, Supplier<Optional<String>> probe) {
            this(name, true, probe);
        }

        /** Returns a check that reports a problem while the condition is false. */
        public static Check of(String name, BooleanSupplier condition, String problem) {
            return new Check(name, () -> condition.getAsBoolean() ? Optional.empty() : Optional.of(problem));
        }
    }

    /**
     * The results of all checks, as they are sent.
     *
     * @param status {@code ok}, {@code degraded} or {@code failing}
     * @param checks by name: {@code ok} or the problem
     */
    public record Report(String status, Map<String, String> checks) {

        private static final String OK = "ok";
        private static final String FAILING = "failing";

        static Report run(Iterable<Check> checks) {
            Map<String, String> results = new LinkedHashMap<>();
            String status = OK;
            for (Check check : checks) {
                String result = runCheck(check);
                results.put(check.name(), result);
                if (!result.equals(OK) && !status.equals(FAILING)) {
                    status = check.vital() ? FAILING : "degraded";
                }
            }
            return new Report(status, results);
        }

        private static String runCheck(Check check) {
            try {
                return check.probe().get().orElse(OK);
            } catch (RuntimeException failure) {
                // Without the message: probes are not authenticated.
                return "does not answer (" + failure.getClass().getSimpleName() + ")";
            }
        }

        public boolean healthy() {
            return !status.equals(FAILING);
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

    public Report checkLiveness() {
        return Report.run(livenessChecks);
    }

    /** Callers that waited for a check share its result, however long it took. */
    public synchronized Report checkReadiness() {
        if (lastReady.isEmpty() || ticker.getAsLong() - lastReadyAt >= CACHE_NANOS) {
            lastReady = Optional.of(Report.run(readinessChecks));
            lastReadyAt = ticker.getAsLong();
        }
        return lastReady.get();
    }
}
