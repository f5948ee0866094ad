package dev.escapement.server.http.system;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Whether the server lives, and whether it can work. Each question is asked at most once a second. */
public final class HealthChecks {

    private static final long CACHE_NANOS = 1_000_000_000L;

    /**
     * One question.
     *
     * @param probe empty if all is well, else what is wrong; may throw
     */
    public record Check(String name, Supplier<Optional<String>> probe) {

        /** One that is well while the condition holds. */
        public static Check of(String name, BooleanSupplier condition, String otherwise) {
            return new Check(name, () -> condition.getAsBoolean() ? Optional.empty() : Optional.of(otherwise));
        }
    }

    /**
     * The answers.
     *
     * @param checks by name: {@code ok}, or what is wrong
     */
    public record Report(Map<String, String> checks) {

        private static final String OK = "ok";

        /** Whether all is well. */
        public boolean isHealthy() {
            return checks.values().stream().allMatch(OK::equals);
        }

        /** As JSON. */
        Map<String, Object> toDocument() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("status", isHealthy() ? OK : "failing");
            document.put("checks", checks);
            return document;
        }

        static Report run(Iterable<Check> checks) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (Check check : checks) {
                answers.put(check.name(), runCheck(check));
            }
            return new Report(answers);
        }

        private static String runCheck(Check check) {
            try {
                return check.probe().get().orElse(OK);
            } catch (RuntimeException failure) {
                // The details are in the log; whoever probes need not be allowed to see them.
                return "does not answer (" + failure.getClass().getSimpleName() + ")";
            }
        }
    }

    private record CachedReport(Report report, long createdAt) {}

    private final Iterable<Check> livenessChecks;
    private final Iterable<Check> readinessChecks;
    private final LongSupplier ticker;
    private Optional<CachedReport> lastReady = Optional.empty();

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    public HealthChecks(Iterable<Check> live, Iterable<Check> ready, LongSupplier nanos) {
        this.livenessChecks = live;
        this.readinessChecks = ready;
        this.ticker = nanos;
    }

    Report checkLiveness() {
        return Report.run(livenessChecks);
    }

    /** Whoever waits here for an answer takes it: it is fresh from when it was there, however long that took. */
    synchronized Report checkReadiness() {
        long now = ticker.getAsLong();
        CachedReport known = lastReady
                .filter(last -> now - last.createdAt() < CACHE_NANOS)
                .orElseGet(() -> new CachedReport(Report.run(readinessChecks), ticker.getAsLong()));
        lastReady = Optional.of(known);
        return known.report();
    }
}
