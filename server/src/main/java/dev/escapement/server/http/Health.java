package dev.escapement.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Whether the server lives, and whether it can work. Each question is asked at most once a second. */
public final class Health {

    private static final long FRESH_NANOS = 1_000_000_000L;

    /**
     * One question.
     *
     * @param check empty if all is well, else what is wrong; may throw
     */
    public record Check(String name, Supplier<Optional<String>> check) {

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

        private static final String GOOD = "ok";

        /** Whether all is well. */
        public boolean good() {
            return checks.values().stream().allMatch(GOOD::equals);
        }

        /** As JSON. */
        Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("status", good() ? GOOD : "failing");
            document.put("checks", checks);
            return document;
        }

        static Report of(Iterable<Check> checks) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (Check check : checks) {
                answers.put(check.name(), ask(check));
            }
            return new Report(answers);
        }

        private static String ask(Check check) {
            try {
                return check.check().get().orElse(GOOD);
            } catch (RuntimeException failure) {
                // The details are in the log; whoever probes need not be allowed to see them.
                return "does not answer (" + failure.getClass().getSimpleName() + ")";
            }
        }
    }

    private record Known(Report report, long at) {}

    private final Iterable<Check> live;
    private final Iterable<Check> ready;
    private final LongSupplier nanos;
    private Optional<Known> lastReady = Optional.empty();

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    public Health(Iterable<Check> live, Iterable<Check> ready, LongSupplier nanos) {
        this.live = live;
        this.ready = ready;
        this.nanos = nanos;
    }

    Report live() {
        return Report.of(live);
    }

    /** Whoever waits here for an answer takes it: it is fresh from when it was there, however long that took. */
    synchronized Report ready() {
        long now = nanos.getAsLong();
        Known known = lastReady
                .filter(last -> now - last.at() < FRESH_NANOS)
                .orElseGet(() -> new Known(Report.of(ready), nanos.getAsLong()));
        lastReady = Optional.of(known);
        return known.report();
    }
}
