package dev.escapement.benchmarks.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processor time that each program of the measurement has used so far.
 *
 * @param used the time by program
 */
record CpuUsage(Map<String, Duration> used) {

    private static final double MICROS = 1e3;

    /** @param name for the measured process */
    static CpuUsage snapshot(ProcessHandle subject, String name) {
        Map<String, Duration> used = new TreeMap<>();
        Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        ProcessHandle.current().descendants())
                .forEach(process -> used.merge(
                        process.pid() == subject.pid() ? name : processName(process),
                        process.info().totalCpuDuration().orElse(Duration.ZERO),
                        Duration::plus));
        return new CpuUsage(used);
    }

    private static String processName(ProcessHandle process) {
        return process.pid() == ProcessHandle.current().pid()
                ? "load and simulation"
                : process.info()
                        .command()
                        .map(command -> Path.of(command).getFileName().toString())
                        .orElse("?");
    }

    CpuUsage since(CpuUsage before) {
        Map<String, Duration> spent = new TreeMap<>();
        used.forEach((name, time) -> spent.put(name, time.minus(before.used.getOrDefault(name, Duration.ZERO))));
        return new CpuUsage(spent);
    }

    double millisPerExecution(String name, int executions) {
        return used.getOrDefault(name, Duration.ZERO).toNanos() / MICROS / MICROS / executions;
    }

    /** Formats milliseconds per execution, the largest first. */
    String formatPerExecution(int executions) {
        return used.entrySet().stream()
                .sorted(Map.Entry.<String, Duration>comparingByValue(Comparator.reverseOrder()))
                .filter(entry -> entry.getValue().toMillis() > 0)
                .map(entry -> String.format(
                        Locale.ROOT, "%s %.2f", entry.getKey(), millisPerExecution(entry.getKey(), executions)))
                .collect(Collectors.joining(", "));
    }
}
