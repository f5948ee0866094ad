package dev.escapement.benchmarks;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.benchmarks.Stopwatch.Effort;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The command {@code benchmarks/backoff}, which starts it in the folder above this module. */
public final class BackoffMain {

    private static final int[] ATTEMPTS = {1, 5, 30, 1_000_000};
    private static final int BASE = 1;
    private static final int CAP = 5;
    private static final Path JSON = Path.of("benchmarks", "target", "backoff.json");
    private static final Path LOG = Path.of("benchmarks", "target", "backoff-jmh.log");
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

    /** Takes {@code --quick} or nothing; exits with 1 if a target is missed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Effort effort = List.of(args).contains("--quick") ? Effort.QUICK : Effort.FULL;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> machine = new ArrayList<>();
        machine.add(System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.add("before: " + load());
        out.println(String.join(", ", machine));

        BackoffReport report = new BackoffReport(measure(effort, out));
        machine.add("After: " + load());
        out.println(
                "Load " + machine.get(2) + " (our own share is about 1; above that, times are too long and uneven)");
        out.printf("%nOne wait: median time, bytes allocated, and time relative to ours of the same kind%n%n");
        out.printf("%s%n%n%s%n", report.table(), report.notes());
        report.targets().forEach(target -> out.println(target.line()));

        List<Herd> ours = List.of(Herd.ours(BASE), Herd.ours(CAP));
        List<Herd> theirs = List.of(Herd.clampAfterJitter(BASE), Herd.clampAfterJitter(CAP));
        List<Herd> herds = concat(ours, theirs);
        out.printf(
                Locale.ROOT, "%n%,d callers fail together: share in the fullest 1 %% of the window%n%n", Herd.CALLERS);
        herds.forEach(herd -> out.println(herd.line()));
        out.println();
        ours.forEach(herd -> out.println(herd.target().line()));

        List<Target> targets =
                concat(report.targets(), ours.stream().map(Herd::target).toList());
        write(new Findings(machine, effort, jars(), report.cells(), herds, targets));
        Files.writeString(PICTURE, HerdPicture.of(Herd.ours(CAP), Herd.clampAfterJitter(CAP)));
        out.printf("%nWrote %s and %s%n", PICTURE, JSON);
        System.exit(targets.stream().allMatch(Target::holds) ? 0 : 1);
    }

    /** Printed, and without influence on any verdict: whoever reads a number has to know how busy the machine was. */
    private static String load() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "load average %.1f on %d processors",
                system.getSystemLoadAverage(),
                system.getAvailableProcessors());
    }

    private static <T> List<T> concat(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static Map<Contender, String> jars() {
        Map<Contender, String> jars = new EnumMap<>(Contender.class);
        Contender.peers().forEach(peer -> jars.put(peer, peer.jar()));
        return jars;
    }

    private static void write(Findings findings) throws IOException {
        ObjectWriter writer = JsonMapper.builder().build().writerWithDefaultPrettyPrinter();
        writer.writeValue(JSON.toFile(), findings);
    }

    /**
     * In rounds, and within a round attempt by attempt: what is compared is measured soon after one another, and a bad
     * minute of the machine hits all contenders instead of all forks of one.
     */
    private static List<Cell> measure(Effort effort, PrintStream out) throws IOException, InterruptedException {
        Map<Contender, Map<Integer, Outcome>> outcomes = new EnumMap<>(Contender.class);
        try (PrintStream log = new PrintStream(Files.newOutputStream(LOG), true, StandardCharsets.UTF_8)) {
            Stopwatch stopwatch = new Stopwatch(effort, log);
            for (int round = 1; round <= effort.rounds(); round++) {
                out.printf("Measuring, round %d of %d%n", round, effort.rounds());
                for (int attempt : ATTEMPTS) {
                    for (Contender contender : Contender.values()) {
                        outcomes.computeIfAbsent(contender, key -> new TreeMap<>())
                                .merge(attempt, stopwatch.measure(contender, attempt), Outcome::and);
                    }
                }
            }
        }
        List<Cell> cells = new ArrayList<>();
        outcomes.forEach((contender, byAttempt) ->
                byAttempt.forEach((attempt, outcome) -> cells.add(new Cell(contender, attempt, outcome))));
        return cells;
    }
}
