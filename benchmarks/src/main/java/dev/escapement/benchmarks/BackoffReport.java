package dev.escapement.benchmarks;

import dev.escapement.benchmarks.Contender.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the measured waits cost, side by side.
 *
 * @param cells one for each contender and attempt
 */
record BackoffReport(List<Cell> cells) {

    /** Looking the wait up is the same work at every attempt; the rest is the machine's noise. */
    private static final double FLAT = 1.5;

    /** No object takes less than 16 bytes: this is one in more than a thousand calls, and that is JMH's own. */
    private static final double NO_BYTES = 0.01;

    BackoffReport {
        cells = List.copyOf(cells);
    }

    String table() {
        List<Integer> attempts = cells.stream().map(Cell::attempt).distinct().toList();
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-15s", "attempt n ="));
        attempts.forEach(attempt -> text.append(String.format(Locale.ROOT, "%,31d", attempt)));
        for (Contender contender : rows()) {
            if (contender.isOurs()) {
                text.append('\n');
            }
            text.append(String.format(Locale.ROOT, "%n%-15s", contender.label()));
            attempts.forEach(attempt -> text.append(String.format(Locale.ROOT, "%31s", text(contender, attempt))));
        }
        return text.toString();
    }

    /** By kind; ours stays on top, because it is declared first. */
    private static List<Contender> rows() {
        return Stream.of(Contender.values())
                .sorted(Comparator.comparing(Contender::kind))
                .toList();
    }

    private String text(Contender contender, int attempt) {
        OptionalDouble ratio = contender.isOurs() ? OptionalDouble.empty() : ratio(contender, attempt);
        String times = ratio.isPresent() ? Ratio.text(ratio.getAsDouble()) : "";
        return "%s %10s".formatted(outcome(contender, attempt).text(), times);
    }

    String notes() {
        return Contender.peers().stream()
                .map(peer ->
                        peer.label() + " (" + peer.jar() + ")\n" + peer.note().indent(2))
                .collect(Collectors.joining());
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        targets.add(fasterThanEveryPeer());
        for (Kind kind : Kind.values()) {
            targets.add(Target.atMost(
                    FLAT,
                    flatness(kind.ours()),
                    kind.ours().label() + " costs the same at every attempt (slowest / fastest at most " + FLAT + ")",
                    "%.2f"));
        }
        targets.add(Target.atMost(NO_BYTES, mostBytes(Contender.DELAY_NANOS), "delayNanos(n) allocates 0 B", "%.3f B"));
        return List.copyOf(targets);
    }

    private Target fasterThanEveryPeer() {
        List<Cell> compared =
                cells.stream().filter(cell -> !cell.contender().isOurs()).toList();
        String slower = compared.stream()
                .filter(cell -> !isSlowerThanOurs(cell))
                .map(cell -> "not than " + cell.contender().label() + " at attempt " + cell.attempt())
                .collect(Collectors.joining(", "));
        double closest = compared.stream()
                .flatMapToDouble(cell -> ratio(cell.contender(), cell.attempt()).stream())
                .min()
                .orElse(Double.NaN);
        String found = String.format(Locale.ROOT, "the closest takes %.2f times as long", closest);
        return new Target(
                "faster than every peer at every attempt", slower.isEmpty() ? found : slower, slower.isEmpty());
    }

    /** One that throws gives no wait at all, and so gives none sooner, provided that ours does. */
    private boolean isSlowerThanOurs(Cell peer) {
        boolean weHaveOne =
                nanos(peer.contender().kind().ours(), peer.attempt()).isPresent();
        OptionalDouble ratio = ratio(peer.contender(), peer.attempt());
        return weHaveOne && (ratio.isEmpty() || ratio.getAsDouble() > 1);
    }

    /** How many times as long as ours of the same kind it takes; nothing if either threw. */
    OptionalDouble ratio(Contender contender, int attempt) {
        OptionalDouble theirs = nanos(contender, attempt);
        OptionalDouble ours = nanos(contender.kind().ours(), attempt);
        return theirs.isPresent() && ours.isPresent()
                ? OptionalDouble.of(theirs.getAsDouble() / ours.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The dearest attempt over the cheapest. */
    double flatness(Contender contender) {
        return Ratio.slowestToFastest(of(contender));
    }

    private double mostBytes(Contender contender) {
        return of(contender)
                .mapToDouble(
                        outcome -> outcome instanceof Outcome.Measured measured ? measured.bytesPerCall() : Double.NaN)
                .max()
                .orElse(Double.NaN);
    }

    private OptionalDouble nanos(Contender contender, int attempt) {
        return outcome(contender, attempt).nanos();
    }

    private Outcome outcome(Contender contender, int attempt) {
        return cells.stream()
                .filter(cell -> cell.contender() == contender && cell.attempt() == attempt)
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    private Stream<Outcome> of(Contender contender) {
        return cells.stream().filter(cell -> cell.contender() == contender).map(Cell::outcome);
    }
}
