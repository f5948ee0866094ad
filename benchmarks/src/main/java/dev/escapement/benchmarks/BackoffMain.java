package dev.escapement.benchmarks;

import dev.escapement.benchmarks.Stopwatch.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The command {@code benchmarks/backoff}. */
public final class BackoffMain {

    private static final int[] ATTEMPTS = {1, 5, 30, 1_000_000};
    private static final int BASE = 1;
    private static final int CAP = 5;
    private static final Path PICTURE = Path.of("docs", "images", "herd.svg");

    private BackoffMain() {}

    /** Everything that was found, for programs. */
    record Findings(
            List<String> machine,
            Effort effort,
            Map<Contender, String> jars,
            List<Cell> cells,
            List<Herd> herds,
            List<Target> targets) {}

    /** A place in the table. */
    private record Place(Contender contender, int attempt) {

        Outcome measure(Stopwatch stopwatch) throws InterruptedException {
            return stopwatch.measureIfItEnds(contender.trial(attempt), () -> contender.ask(attempt));
        }
    }

    /** Takes {@code --quick} or nothing; exits with 1 if a target is missed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Run run = new Run("backoff", args);
        BackoffReport report = new BackoffReport(cells(run.measure(places(), place -> true, Place::measure)));
        run.out().printf("%nOne wait: median time, bytes allocated, and time relative to ours of the same kind%n%n");
        run.out().printf("%s%n%n%s%n", report.table(), report.notes());
        run.print(report.targets());

        List<Herd> ours = List.of(Herd.ours(BASE), Herd.ours(CAP));
        List<Herd> theirs = List.of(Herd.clampAfterJitter(BASE), Herd.clampAfterJitter(CAP));
        List<Herd> herds = concat(ours, theirs);
        run.out()
                .printf(
                        Locale.ROOT,
                        "%n%,d callers fail together: share in the fullest 1 %% of the window%n%n",
                        Herd.CALLERS);
        herds.forEach(herd -> run.out().println(herd.line()));
        run.out().println();
        List<Target> even = ours.stream().map(Herd::target).toList();
        run.print(even);

        Files.writeString(PICTURE, HerdPicture.of(Herd.ours(CAP), Herd.clampAfterJitter(CAP)));
        run.out().printf("%nDrew %s%n", PICTURE);
        List<Target> targets = concat(report.targets(), even);
        run.end(new Findings(run.machine(), run.effort(), jars(), report.cells(), herds, targets), targets);
    }

    /** Attempt by attempt: the contenders are what is compared. */
    private static List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int attempt : ATTEMPTS) {
            Stream.of(Contender.values()).forEach(contender -> places.add(new Place(contender, attempt)));
        }
        return places;
    }

    private static List<Cell> cells(Map<Place, Outcome> outcomes) {
        return outcomes.entrySet().stream()
                .map(each -> new Cell(each.getKey().contender(), each.getKey().attempt(), each.getValue()))
                .sorted(Comparator.comparing(Cell::contender))
                .toList();
    }

    private static <T> List<T> concat(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static Map<Contender, String> jars() {
        Map<Contender, String> jars = new EnumMap<>(Contender.class);
        Contender.peers().forEach(peer -> jars.put(peer, peer.jar()));
        return jars;
    }
}
