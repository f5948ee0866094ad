package dev.escapement.benchmarks.jmh;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.benchmarks.jmh.JmhRunner.Effort;
import dev.escapement.benchmarks.report.PerformanceTarget;
import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Runs the JMH measurements of a command, prints the targets, and writes the results. */
public final class BenchmarkRun {

    private final String name;
    private final Effort effort;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final List<String> machine = new ArrayList<>();

    /**
     * Prints the JVM and the load average.
     *
     * @param name of the command
     * @param args {@code --quick} or none
     */
    public BenchmarkRun(String name, String[] args) {
        this.name = name;
        this.effort = List.of(args).contains("--quick") ? Effort.QUICK : Effort.FULL;
        machine.add(System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.add("before: " + Console.loadAverage());
        out.println(String.join(", ", machine));
    }

    /** Measures one element once. */
    public interface Measurement<T> {
        MeasurementOutcome measure(T element, JmhRunner runner) throws InterruptedException;
    }

    public PrintStream out() {
        return out;
    }

    public Effort effort() {
        return effort;
    }

    /** Returns the JVM, and the load average before and after the measurements. */
    public List<String> machine() {
        return machine;
    }

    /**
     * Measures all elements in rounds. Neighbours in the list are measured one after the other, so that other load on
     * the machine affects all of them, and not all forks of one.
     *
     * @param hasTarget whether a target depends on an element; the others are measured in every other round only
     */
    public <T> Map<T, MeasurementOutcome> measure(List<T> all, Predicate<T> hasTarget, Measurement<T> measurement)
            throws IOException, InterruptedException {
        Map<T, MeasurementOutcome> outcomes = new LinkedHashMap<>();
        try (PrintStream log =
                new PrintStream(Files.newOutputStream(outputFile(name + "-jmh.log")), true, StandardCharsets.UTF_8)) {
            JmhRunner runner = new JmhRunner(effort, log);
            for (int round = 1; round <= effort.rounds(); round++) {
                out.printf("Measuring, round %d of %d%n", round, effort.rounds());
                for (T element : all) {
                    if (round % 2 == 1 || hasTarget.test(element)) {
                        outcomes.merge(element, measurement.measure(element, runner), MeasurementOutcome::merge);
                    }
                }
            }
        }
        machine.add("after: " + Console.loadAverage());
        out.println(machine.get(2) + " (about 1 of it is the benchmark; with more, times are too long and uneven)");
        return outcomes;
    }

    public void printTargets(List<PerformanceTarget> targets) {
        TargetResults results = new TargetResults();
        results.addAll(targets);
        results.print();
    }

    /** Writes all results as JSON and exits, with 1 if a target is missed. */
    public void writeResultsAndExit(Record findings, List<PerformanceTarget> targets) throws IOException {
        Path json = outputFile(name + ".json");
        JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), findings);
        out.printf("%nWrote %s%n", json);
        System.exit(targets.stream().allMatch(PerformanceTarget::holds) ? 0 : 1);
    }

    /** The commands run in the folder of the project. */
    private static Path outputFile(String fileName) {
        return Path.of("benchmarks", "target", fileName);
    }
}
