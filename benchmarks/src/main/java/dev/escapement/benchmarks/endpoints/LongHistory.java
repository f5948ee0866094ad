package dev.escapement.benchmarks.endpoints;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Whether a long history costs anything: the same endpoints due at once in two databases, one with many runs behind
 * each and one with none, in turn, so that what else happens on the machine happens to both.
 *
 * @param empty at the sink, without a history
 * @param full at the sink, with one
 */
record LongHistory(Figures empty, Figures full) {

    /** For thousands of endpoints in two databases, on a machine that is busy. */
    private static final Duration PREPARING = Duration.ofSeconds(20);

    /** How many times as long it takes with a history; 1 is flat. */
    double ratio() {
        return empty.median() / full.median();
    }

    static LongHistory measure(Runner runner, SinkProcess sink, Scenario scenario, String empty, String full, int runs)
            throws IOException, SQLException {
        int past = runs / scenario.count();
        Past.fill(full, scenario.count(), past);
        sink.clear();
        sink.delay(0);
        try (Child first = runner.start(Runner.with(scenario.knobs(), empty));
                Child second = runner.start(Runner.with(scenario.knobs(), full))) {
            Timetable one = scenario.timetable(Instant.now().plus(PREPARING), 0, sink.ports());
            Duration half = one.interval().dividedBy(2);
            Timetable other = new Timetable(
                    one.count(), one.first().plus(half), one.spacing(), one.interval(), past, one.ports());
            first.order("begin " + one.write());
            second.order("begin " + other.write());
            Runner.pause(Duration.between(Instant.now(), one.slot(0, scenario.lastRound() + 1)));
            List<Arrival> arrivals = sink.arrivals();
            return new LongHistory(figures(arrivals, one, scenario, past), figures(arrivals, other, scenario, past));
        }
    }

    /** The two are told apart by the numbers of their runs. */
    private static Figures figures(List<Arrival> arrivals, Timetable timetable, Scenario scenario, int past) {
        List<Arrival> own = arrivals.stream()
                .filter(arrival -> (arrival.number() > past) == (timetable.past() == past))
                .toList();
        return Figures.of(own, timetable, scenario.warmUp() + 1L, scenario.lastRound());
    }
}
