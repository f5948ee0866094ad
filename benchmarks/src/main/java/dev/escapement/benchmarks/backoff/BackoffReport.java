package dev.escapement.benchmarks.backoff;

import dev.escapement.benchmarks.backoff.BackoffContender.ResultKind;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;
import dev.escapement.benchmarks.jmh.TimeRatio;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the measured costs of a wait.
 *
 * @param cells one for each library and attempt
 */
record BackoffReport(List<BackoffMeasurement> cells) {

    /** Every attempt does the same work; differences are noise of the machine. */
    private static final double MAX_SLOWDOWN = 1.5;

    /** An object has at least 16 bytes, so this is one object in more than a thousand calls, which is from JMH. */
    private static final double MAX_BYTES_PER_CALL = 0.01;

    BackoffReport {
        cells = List.copyOf(cells);
    }

    String formatTable() {
        List<Integer> attempts =
                cells.stream().map(BackoffMeasurement::attempt).distinct().toList();
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-15s", "attempt n ="));
        attempts.forEach(attempt -> text.append(String.format(Locale.ROOT, "%,31d", attempt)));
        for (BackoffContender contender : rows()) {
            if (contender.isOurs()) {
                text.append('\n');
            }
            text.append(String.format(Locale.ROOT, "%n%-15s", contender.label()));
            attempts.forEach(
                    attempt -> text.append(String.format(Locale.ROOT, "%31s", formatCell(contender, attempt))));
        }
        return text.toString();
    }

    /** Sorts by kind; Escapement is the first of each kind, because it is declared first. */
    private static List<BackoffContender> rows() {
        return Stream.of(BackoffContender.values())
                .sorted(Comparator.comparing(BackoffContender::kind))
                .toList();
    }

    private String formatCell(BackoffContender contender, int attempt) {
        OptionalDouble ratio = contender.isOurs() ? OptionalDouble.empty() : ratio(contender, attempt);
        String times = ratio.isPresent() ? TimeRatio.format(ratio.getAsDouble()) : "";
        return "%s %10s".formatted(outcome(contender, attempt).format(), times);
    }

    String formatNotes() {
        return BackoffContender.peers().stream()
                .map(peer ->
                        peer.label() + " (" + peer.jar() + ")\n" + peer.note().indent(2))
                .collect(Collectors.joining());
    }

    List<PerformanceTarget> targets() {
        List<PerformanceTarget> targets = new ArrayList<>();
        targets.add(fasterThanPeersTarget());
        for (ResultKind kind : ResultKind.values()) {
            targets.add(PerformanceTarget.atMost(
                    MAX_SLOWDOWN,
                    slowdown(kind.ours()),
                    kind.ours().label() + " costs the same at every attempt (slowest / fastest at most " + MAX_SLOWDOWN
                            + ")",
                    "%.2f"));
        }
        targets.add(PerformanceTarget.atMost(
                MAX_BYTES_PER_CALL, maxBytes(BackoffContender.DELAY_NANOS), "delayNanos(n) allocates 0 B", "%.3f B"));
        return List.copyOf(targets);
    }

    private PerformanceTarget fasterThanPeersTarget() {
        List<BackoffMeasurement> compared =
                cells.stream().filter(cell -> !cell.contender().isOurs()).toList();
        String slower = compared.stream()
                .filter(cell -> !isSlowerThanOurs(cell))
                .map(cell -> "not faster than " + cell.contender().label() + " at attempt " + cell.attempt())
                .collect(Collectors.joining(", "));
        double closest = compared.stream()
                .flatMapToDouble(cell -> ratio(cell.contender(), cell.attempt()).stream())
                .min()
                .orElse(Double.NaN);
        String found = String.format(Locale.ROOT, "the closest takes %.2f times as long", closest);
        return new PerformanceTarget(
                "faster than every other library at every attempt",
                slower.isEmpty() ? found : slower,
                slower.isEmpty());
    }

    /** A library that throws counts as slower, if Escapement does not throw. */
    private boolean isSlowerThanOurs(BackoffMeasurement peer) {
        boolean oursIsMeasured =
                nanos(peer.contender().kind().ours(), peer.attempt()).isPresent();
        OptionalDouble ratio = ratio(peer.contender(), peer.attempt());
        return oursIsMeasured && (ratio.isEmpty() || ratio.getAsDouble() > 1);
    }

    /** Returns the time relative to Escapement's of the same kind; empty if one of them threw. */
    OptionalDouble ratio(BackoffContender contender, int attempt) {
        OptionalDouble theirs = nanos(contender, attempt);
        OptionalDouble ours = nanos(contender.kind().ours(), attempt);
        return theirs.isPresent() && ours.isPresent()
                ? OptionalDouble.of(theirs.getAsDouble() / ours.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns the time of the slowest attempt divided by that of the fastest. */
    double slowdown(BackoffContender contender) {
        return TimeRatio.slowestToFastest(outcomesOf(contender));
    }

    private double maxBytes(BackoffContender contender) {
        return outcomesOf(contender)
                .mapToDouble(outcome ->
                        outcome instanceof MeasurementOutcome.Measured measured ? measured.bytesPerCall() : Double.NaN)
                .max()
                .orElse(Double.NaN);
    }

    private OptionalDouble nanos(BackoffContender contender, int attempt) {
        return outcome(contender, attempt).nanos();
    }

    private MeasurementOutcome outcome(BackoffContender contender, int attempt) {
        return cells.stream()
                .filter(cell -> cell.contender() == contender && cell.attempt() == attempt)
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    private Stream<MeasurementOutcome> outcomesOf(BackoffContender contender) {
        return cells.stream().filter(cell -> cell.contender() == contender).map(BackoffMeasurement::outcome);
    }
}
