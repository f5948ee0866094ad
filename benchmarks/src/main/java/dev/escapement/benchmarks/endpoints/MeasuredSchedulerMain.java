package dev.escapement.benchmarks.endpoints;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Whoever makes the calls, in a process of its own. Prints {@code ready}; then takes orders, one a line, and answers
 * each with a line: {@code begin TIMETABLE}, {@code tally}.
 */
public final class MeasuredSchedulerMain {

    private MeasuredSchedulerMain() {}

    /** Arguments: {@code loop CALLS CALLS-PER-HOST}, {@code peer URL KNOBS} or {@code PLACE CALLS CALLS-PER-HOST}. */
    public static void main(String[] args) throws Exception {
        try (MeasuredScheduler subject = createScheduler(args);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("begin ")) {
                    subject.start(Timetable.parse(line.substring("begin ".length())));
                }
                System.out.println(subject.counters().format());
            }
        }
        // Threads of others must not keep it.
        System.exit(0);
    }

    private static MeasuredScheduler createScheduler(String[] args) throws SQLException {
        return switch (args[0]) {
            case "loop" -> new PlainLoopScheduler(parseLimits(args[1], args[2]));
            case "peer" -> new DbSchedulerAdapter(args[1], DbSchedulerSettings.parse(args[2]));
            default -> new EscapementScheduler(args[0], parseLimits(args[1], args[2]));
        };
    }

    private static ConcurrencyLimits parseLimits(String concurrency, String perHost) {
        return new ConcurrencyLimits(Integer.parseInt(concurrency), Integer.parseInt(perHost));
    }
}
