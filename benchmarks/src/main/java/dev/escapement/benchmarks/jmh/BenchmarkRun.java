package dev.escapement.benchmarks.jmh;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.benchmarks.jmh.JmhRunner.Effort;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What every command of this module does, whatever it measures. */
public final class BenchmarkRun {

    private final String name;
    private final Effort effort;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final List<String> machine = new ArrayList<>();

    /**
     * Begins.
     *
     * @param name of the command
     * @param args {@code --quick} or nothing
     */
    public BenchmarkRun(String name, String[] args) {
        this.name = name;
        this.effort = List.of(args).contains("--quick") ? Effort.QUICK : Effort.FULL;
        machine.add(System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.add("before: " + loadAverage());
        out.println(String.join(", ", machine));
    }

    /** How to measure one of them once. */
    public interface Measurement<T> {
        MeasurementOutcome measure(T what, JmhRunner stopwatch) throws InterruptedException;
    }

    public PrintStream out() {
        return out;
    }

    public Effort effort() {
        return effort;
    }

    /** The Java virtual machine, and how busy it was around us before and after. */
    public List<String> machine() {
        return machine;
    }

    /**
     * In rounds, each over the whole list: what stands close together in it is measured soon after one another, and a
     * bad minute of the machine hits them all instead of all forks of one.
     *
     * @param judged what a target depends on; the rest is measured in every other round only
     */
    public <T> Map<T, MeasurementOutcome> measure(List<T> all, Predicate<T> judged, Measurement<T> measurement)
            throws IOException, InterruptedException {
        Map<T, MeasurementOutcome> outcomes = new LinkedHashMap<>();
        try (PrintStream log =
                new PrintStream(Files.newOutputStream(outputFile(name + "-jmh.log")), true, StandardCharsets.UTF_8)) {
            JmhRunner stopwatch = new JmhRunner(effort, log);
            for (int round = 1; round <= effort.rounds(); round++) {
                out.printf("Measuring, round %d of %d%n", round, effort.rounds());
                for (T what : all) {
                    if (round % 2 == 1 || judged.test(what)) {
                        outcomes.merge(what, measurement.measure(what, stopwatch), MeasurementOutcome::merge);
                    }
                }
            }
        }
        machine.add("After: " + loadAverage());
        out.println(
                "Load " + machine.get(2) + " (our own share is about 1; above that, times are too long and uneven)");
        return outcomes;
    }

    /** Printed, and without influence on any verdict: whoever reads a number has to know how busy the machine was. */
    private static String loadAverage() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "load average %.1f on %d processors",
                system.getSystemLoadAverage(),
                system.getAvailableProcessors());
    }

    public void printTargets(List<PerformanceTarget> targets) {
        targets.forEach(target -> out.println(target.format()));
    }

    /** Writes everything that was found, for programs, and exits: with 1 if a target is missed. */
    public void writeResultsAndExit(Record findings, List<PerformanceTarget> targets) throws IOException {
        Path json = outputFile(name + ".json");
        JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), findings);
        out.printf("%nWrote %s%n", json);
        System.exit(targets.stream().allMatch(PerformanceTarget::holds) ? 0 : 1);
    }

    /** The commands are started in the folder above this module. */
    private static Path outputFile(String fileName) {
        return Path.of("benchmarks", "target", fileName);
    }
}
