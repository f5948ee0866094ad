package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NextRunPlanExplanationTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));

    @Test
    void explainsHealthyInterval() {
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, RunHistory.initial(NOON), NOON)
                        .explain())
                .isEqualTo("Runs next at 2026-03-01T12:01:00Z: baseline interval (every 1m).");
    }

    @Test
    void explainsCron() {
        Schedule schedule = Schedule.of("endpoint-1", CronExpression.of("30 2 * * *", ZoneId.of("Europe/Berlin")));
        assertThat(PLANNER.planNextRun(schedule, RunHistory.initial(NOON), NOON).explain())
                .isEqualTo("Runs next at 2026-03-02T01:30:00Z: baseline cron (cron 30 2 * * * in Europe/Berlin).");
    }

    @Test
    void explainsClampedBackoff() {
        Schedule schedule =
                EVERY_MINUTE.withClamps(Optional.of(Duration.ofMinutes(3)), Optional.of(Duration.ofMinutes(3)));
        RunHistory once = RunHistory.initial(NOON).withFailure(NOON, NOON, Optional.empty());
        assertThat(PLANNER.planNextRun(schedule, once, NOON).explain()).isEqualTo("""
                Runs next at 2026-03-01T12:03:00Z: backoff (every 1m, 1 failure in a row).
                It was delayed by the minimum interval; it would have been 2026-03-01T12:02:00Z.""");
        assertThat(PLANNER.planNextRun(schedule, once.withFailure(NOON, NOON, Optional.empty()), NOON)
                        .explain())
                .isEqualTo("""
                Runs next at 2026-03-01T12:03:00Z: backoff (every 1m, 2 failures in a row).
                It was moved forward by the maximum interval; it would have been 2026-03-01T12:04:00Z.""");
    }

    @Test
    void explainsEveryHintWithAuthorReasonAndResult() {
        Instant given = NOON.minusSeconds(60);
        Instant later = NOON.plusSeconds(600);
        Schedule schedule = EVERY_MINUTE.withHints(List.of(
                new OneShotHint(NOON.plusSeconds(40), given, later, "ada", "deployed a fix"),
                new IntervalHint(Duration.ofSeconds(30), given, later, "ai", "queue grows"),
                new OneShotHint(NOON.minusSeconds(5), given, later, "bob", "wants to see"),
                new IntervalHint(Duration.ofHours(1), given, later, "eve", "too loud"),
                new IntervalHint(Duration.ofSeconds(7), given, NOON, "kim", "was urgent")));
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, NOON);
        assertThat(PLANNER.planNextRun(schedule, history, NOON).explain()).isEqualTo("""
                Runs next at 2026-03-01T12:00:30Z: interval hint (every 30s until 2026-03-01T12:10:00Z, given by ai at 2026-03-01T11:59:00Z: queue grows).
                Not taken: one-shot hint at 2026-03-01T12:00:00.001Z (once at 2026-03-01T11:59:55Z, until 2026-03-01T12:10:00Z, given by bob at 2026-03-01T11:59:00Z: wants to see): a run at or after its time has fulfilled it.
                Not taken: interval hint at 2026-03-01T12:00:07Z (every 7s until 2026-03-01T12:00:00Z, given by kim at 2026-03-01T11:59:00Z: was urgent): it has expired.
                Not taken: one-shot hint at 2026-03-01T12:00:40Z (once at 2026-03-01T12:00:40Z, until 2026-03-01T12:10:00Z, given by ada at 2026-03-01T11:59:00Z: deployed a fix): another is earlier.
                Not taken: baseline interval at 2026-03-01T12:01:00Z (every 1m): an interval hint replaces it.
                Not taken: interval hint at 2026-03-01T13:00:00Z (every 1h until 2026-03-01T12:10:00Z, given by eve at 2026-03-01T11:59:00Z: too loud): it expires before that.
                Without hints it would run at 2026-03-01T12:01:00Z: baseline interval.""");
    }

    @Test
    void explainsPauseWithoutHints() {
        Schedule schedule = EVERY_MINUTE.pausedUntil(NOON.plusSeconds(3_600));
        assertThat(PLANNER.planNextRun(schedule, RunHistory.initial(NOON), NOON).explain())
                .isEqualTo("""
                Runs next at 2026-03-01T13:00:00Z: pause (until then).
                Not taken: baseline interval at 2026-03-01T12:01:00Z (every 1m): the endpoint is paused.""");
    }

    @Test
    void explainsPauseWithRejectedHint() {
        Schedule schedule = EVERY_MINUTE
                .withHints(List.of(new OneShotHint(NOON.plusSeconds(90), NOON, NOON.plusSeconds(600), "ada", "check")))
                .pausedUntil(NOON.plusSeconds(3_600));
        assertThat(PLANNER.planNextRun(schedule, RunHistory.initial(NOON), NOON).explain())
                .isEqualTo("""
                Runs next at 2026-03-01T13:00:00Z: pause (until then).
                Not taken: baseline interval at 2026-03-01T12:01:00Z (every 1m): the endpoint is paused.
                Not taken: one-shot hint at 2026-03-01T12:01:30Z (once at 2026-03-01T12:01:30Z, until 2026-03-01T12:10:00Z, given by ada at 2026-03-01T12:00:00Z: check): another is earlier.
                Without hints it would run at 2026-03-01T13:00:00Z: pause.""");
    }
}
