package dev.escapement.benchmarks.jmh;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The outcome of one measurement; a library that throws or never returns does not end the benchmark. */
public sealed interface MeasurementOutcome {

    /** Returns the nanoseconds of one call; the timeout if it did not return; empty if it threw. */
    OptionalDouble nanos();

    /** Returns all samples of both, or the first failure. */
    default MeasurementOutcome merge(MeasurementOutcome other) {
        return this instanceof Measured one && other instanceof Measured another
                ? one.and(another)
                : this instanceof Measured ? other : this;
    }

    /** Formats a cell of the table. */
    String format();

    /**
     * Reported as medians over all iterations of all forks: other load on the machine changes the mean more than the
     * median.
     *
     * @param nanosSamples nanoseconds per call, one for each iteration
     * @param bytesSamples bytes allocated per call, one for each iteration
     */
    record Measured(List<Double> nanosSamples, List<Double> bytesSamples) implements MeasurementOutcome {

        public Measured {
            nanosSamples = List.copyOf(nanosSamples);
            bytesSamples = List.copyOf(bytesSamples);
        }

        @JsonProperty
        double nanosPerCall() {
            return median(nanosSamples);
        }

        @JsonProperty
        public double bytesPerCall() {
            return median(bytesSamples);
        }

        @Override
        public OptionalDouble nanos() {
            return OptionalDouble.of(nanosPerCall());
        }

        @Override
        public String format() {
            return "%s %8s".formatted(formatTime(nanosPerCall()), formatSize(bytesPerCall()));
        }

        private Measured and(Measured other) {
            return new Measured(concat(nanosSamples, other.nanosSamples), concat(bytesSamples, other.bytesSamples));
        }
    }

    /** One call did not return within the timeout. */
    record TimedOut(double limitNanos) implements MeasurementOutcome {

        public static TimedOut after(Duration limit) {
            return new TimedOut(limit.toNanos());
        }

        @Override
        public OptionalDouble nanos() {
            return OptionalDouble.of(limitNanos);
        }

        @Override
        public String format() {
            return "over " + formatTime(limitNanos);
        }
    }

    /** The call threw. */
    record Failed(String what) implements MeasurementOutcome {

        @Override
        public OptionalDouble nanos() {
            return OptionalDouble.empty();
        }

        @Override
        public String format() {
            return "throws " + what;
        }
    }

    private static double median(List<Double> samples) {
        List<Double> sorted = samples.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static List<Double> concat(List<Double> some, List<Double> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static String formatTime(double nanos) {
        if (nanos < 1e3) {
            return String.format(Locale.ROOT, "%.1f ns", nanos);
        }
        return nanos < 1e6
                ? String.format(Locale.ROOT, "%.1f µs", nanos / 1e3)
                : String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    private static String formatSize(double bytes) {
        return bytes < 1e6
                ? String.format(Locale.ROOT, "%.0f B", bytes)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
