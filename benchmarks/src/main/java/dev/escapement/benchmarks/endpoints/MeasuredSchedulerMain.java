package dev.escapement.benchmarks.endpoints;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Runs a {@link MeasuredScheduler} in a process of its own. Prints {@code ready}; then reads commands, one per line,
 * and answers each with its counters: {@code start TIMETABLE}, {@code counters}.
 */
public final class MeasuredSchedulerMain {

    private MeasuredSchedulerMain() {}

    /**
     * Arguments: {@code loop CALLS CALLS-PER-HOST}, {@code db-scheduler URL SETTINGS} or {@code DATABASE CALLS
     * CALLS-PER-HOST}.
     */
    public static void main(String[] args) throws Exception {
        try (MeasuredScheduler scheduler = createScheduler(args);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("start ")) {
                    scheduler.start(Timetable.parse(line.substring("start ".length())));
                }
                System.out.println(scheduler.counters().format());
            }
        }
        // Threads of libraries must not keep the process running.
        System.exit(0);
    }

    private static MeasuredScheduler createScheduler(String[] args) throws SQLException {
        return switch (args[0]) {
            case "loop" -> new PlainLoopScheduler(parseLimits(args[1], args[2]));
            case "db-scheduler" -> new DbSchedulerAdapter(args[1], DbSchedulerSettings.parse(args[2]));
            default -> new EscapementScheduler(args[0], parseLimits(args[1], args[2]));
        };
    }

    private static ConcurrencyLimits parseLimits(String concurrency, String perHost) {
        return new ConcurrencyLimits(Integer.parseInt(concurrency), Integer.parseInt(perHost));
    }
}
