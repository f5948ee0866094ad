package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan.PlanWithoutHints;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks invariants of the planner for random schedules, histories and clocks. */
class RunPlannerPropertyTest {

    private static final int CASES = 3_000;
    private static final List<CronExpression> CRONS = List.of(
            CronExpression.of("*/5 * * * *", ZoneId.of("Europe/Berlin")),
            CronExpression.of("30 2 * * *", ZoneId.of("America/New_York")),
            CronExpression.of("0 0 29 2 *", ZoneId.of("Africa/Cairo")),
            CronExpression.of("15 0,12 1,15 * MON", ZoneId.of("Pacific/Apia")));

    @Test
    void nextRunIsAfterNowAndWithinClamps() {
        Property.forAll(CASES, gen -> {
            Instant now = anyNow(gen);
            Schedule schedule = anySchedule(gen, now);
            NextRunPlan plan = anyPlanner(gen).planNextRun(schedule, anyHistory(gen, now), now);
            assertThat(plan.at()).isAfter(now);
            assertThat(plan.chosen().at()).isAfter(now);
            assertThat(plan.rejected())
                    .allSatisfy(other -> assertThat(other.candidate().at()).isAfter(now));
            if (plan.source() == RunSource.PAUSE) {
                assertThat(schedule.pausedUntil()).contains(plan.at());
            } else {
                assertThat(schedule.pausedUntil().filter(now::isBefore)).isEmpty();
                schedule.minInterval().ifPresent(min -> assertThat(plan.at()).isAfterOrEqualTo(now.plus(min)));
                schedule.maxInterval().ifPresent(max -> assertThat(plan.at()).isBeforeOrEqualTo(now.plus(max)));
            }
            assertThat(plan.clamp().isPresent())
                    .isEqualTo(!plan.at().equals(plan.chosen().at()));
        });
    }

    @Test
    void orderOfHintsDoesNotMatter() {
        Property.forAll(CASES, gen -> {
            Instant now = anyNow(gen);
            Schedule schedule = anySchedule(gen, now);
            RunHistory history = anyHistory(gen, now);
            List<Hint> shuffled = new ArrayList<>(schedule.hints());
            Collections.shuffle(shuffled, new Random(gen.random().nextLong()));
            RunPlanner planner = anyPlanner(gen);
            assertThat(planner.planNextRun(schedule.withHints(shuffled), history, now))
                    .isEqualTo(planner.planNextRun(schedule, history, now));
        });
    }

    @Test
    void planWithoutHintsEqualsPlanWithExpiredHints() {
        Property.forAll(CASES, gen -> {
            Instant now = anyNow(gen);
            Schedule schedule = anySchedule(gen, now);
            RunHistory history = anyHistory(gen, now);
            RunPlanner planner = anyPlanner(gen);
            NextRunPlan plain = planner.planNextRun(schedule.withHints(List.of()), history, now);
            assertThat(planner.planNextRun(schedule, history, now).withoutHints())
                    .isEqualTo(new PlanWithoutHints(plain.at(), plain.source()))
                    .isEqualTo(plain.withoutHints());

            List<Hint> expired = schedule.hints().stream()
                    .filter(hint -> hint.isExpired(now))
                    .toList();
            NextRunPlan withExpired = planner.planNextRun(schedule.withHints(expired), history, now);
            assertThat(withExpired.at()).isEqualTo(plain.at());
            assertThat(withExpired.chosen()).isEqualTo(plain.chosen());
        });
    }

    @Test
    void everyHintIsChosenOrRejected() {
        Property.forAll(CASES, gen -> {
            Instant now = anyNow(gen);
            Schedule schedule = anySchedule(gen, now);
            NextRunPlan plan = anyPlanner(gen).planNextRun(schedule, anyHistory(gen, now), now);
            List<Hint> seen = new ArrayList<>();
            plan.chosen().hint().ifPresent(seen::add);
            plan.rejected().forEach(other -> other.candidate().hint().ifPresent(seen::add));
            assertThat(seen).containsExactlyInAnyOrderElementsOf(schedule.hints());
            schedule.hints().forEach(hint -> assertThat(plan.explain()).contains(hint.author(), hint.reason()));
        });
    }

    @Test
    void failingEndpointNeverRetriesFasterThanBackoff() {
        Property.forAll(CASES, gen -> {
            Instant now = anyNow(gen);
            Duration every = Duration.ofMillis(1 + gen.magnitude(ScheduleLimits.MAX_INTERVAL.toMillis() - 1));
            int failures = gen.between(1, 40);
            Schedule schedule = Schedule.of(gen.text(10) + "k", new FixedInterval(every));
            NextRunPlan plan = RunPlanner.withDefaultJitter()
                    .planNextRun(schedule, new RunHistory(now, failures, Optional.of(new LastRun(now, now))), now);
            Duration nominal = every.multipliedBy(1L << Math.min(failures, 5));
            Duration wait = Duration.between(now, plan.at());
            assertThat(wait)
                    .isBetween(
                            nominal.multipliedBy(9).dividedBy(10),
                            nominal.multipliedBy(11).dividedBy(10));
            assertThat(wait).isBetween(every.multipliedBy(2), every.multipliedBy(32));
        });
    }

    @Test
    void healthyEndpointDoesNotDrift() {
        Property.forAll(12, gen -> {
            Duration every = Duration.ofMillis(2 + gen.magnitude(86_400_000));
            Instant created = anyNow(gen);
            Schedule schedule = Schedule.of("endpoint-1", new FixedInterval(every));
            RunHistory history = RunHistory.initial(created);
            Instant now = created;
            for (int beat = 1; beat <= 1_000; beat++) {
                NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(schedule, history, now);
                assertThat(plan.at()).isEqualTo(created.plus(every.multipliedBy(beat)));
                // Leaves time for the smallest rest before the next slot.
                now = plan.at().plusMillis(gen.between(0L, every.toMillis() * 9 / 10));
                history = history.withSuccess(plan.at(), now);
            }
        });
    }

    @Test
    void outageCausesOneRunThenGrid() {
        Property.forAll(CASES, gen -> {
            Duration every = Duration.ofMillis(1 + gen.magnitude(86_400_000));
            Schedule schedule = Schedule.of("endpoint-1", new FixedInterval(every));
            Instant slot = anyNow(gen);
            RunHistory history = RunHistory.initial(slot).withSuccess(slot, slot);
            Instant back = slot.plus(Duration.ofDays(gen.between(1, 3_650))).plusNanos(gen.between(0, 999_999_999));
            NextRunPlan first = RunPlanner.withDefaultJitter().planNextRun(schedule, history, back);
            NextRunPlan second = RunPlanner.withDefaultJitter()
                    .planNextRun(schedule, history.withSuccess(first.at(), first.at()), first.at());
            assertThat(first.at()).isAfter(back).isBeforeOrEqualTo(back.plus(every));
            assertThat(Duration.between(first.at(), second.at())).isEqualTo(every);
            assertThat(Duration.between(slot, first.at()).toMillis() % every.toMillis())
                    .isZero();
        });
    }

    @Test
    void oneShotCausesExactlyOneRunDespiteClockSkew() {
        Property.forAll(500, gen -> {
            Instant now = anyNow(gen);
            Instant due = now.plusMillis(gen.between(-100_000L, 100_000L));
            Instant given = now.plusMillis(gen.between(-100_000L, 100_000L));
            Instant expiry = now.plusSeconds(gen.between(101, 1_000_000));
            Schedule schedule = Schedule.of("endpoint-1", new FixedInterval(Duration.ofHours(gen.between(1, 24))))
                    .withHints(List.of(new OneShotHint(due, given, expiry, "ops", "test")));
            RunHistory history = RunHistory.initial(now);
            int answers = 0;
            for (int run = 0; run < 20; run++) {
                NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(schedule, history, now);
                answers += plan.source() == RunSource.HINT_ONE_SHOT ? 1 : 0;
                now = plan.at().plusMillis(gen.between(0, 1_000));
                history = gen.oneIn(2)
                        ? history.withFailure(plan.at(), now, Optional.empty())
                        : history.withSuccess(plan.at(), now);
            }
            assertThat(answers).isEqualTo(1);
        });
    }

    private static RunPlanner anyPlanner(Generator gen) {
        return gen.oneOf(RunPlanner.withDefaultJitter(), new RunPlanner(0), new RunPlanner(50));
    }

    private static Instant anyNow(Generator gen) {
        return Instant.ofEpochSecond(gen.between(0L, 4_000_000_000L), gen.oneOf(0, gen.between(0, 999_999_999)));
    }

    private static Schedule anySchedule(Generator gen, Instant now) {
        Baseline baseline = gen.oneIn(3) ? gen.oneOf(CRONS) : new FixedInterval(anyInterval(gen));
        Duration shorter = anyInterval(gen);
        Duration longer = Duration.ofMillis(gen.between(shorter.toMillis(), ScheduleLimits.MAX_INTERVAL.toMillis()));
        List<Hint> hints = IntStream.range(0, gen.length(0, 6))
                .mapToObj(i -> anyHint(gen, now))
                .toList();
        return new Schedule(
                gen.text(8) + "k",
                baseline,
                gen.oneIn(3) ? Optional.of(shorter) : Optional.empty(),
                gen.oneIn(3) ? Optional.of(longer) : Optional.empty(),
                gen.oneIn(5) ? Optional.of(anyInstantNear(gen, now)) : Optional.empty(),
                hints);
    }

    private static Hint anyHint(Generator gen, Instant now) {
        String author = gen.oneOf("ada", "bob");
        String reason = gen.oneOf("a fix", "a hunch");
        Instant at = anyInstantNear(gen, now);
        Instant given = at.minusNanos(1 + gen.magnitude(100_000_000_000L));
        return gen.oneIn(2)
                ? new IntervalHint(anyInterval(gen), given, at, author, reason)
                : new OneShotHint(at, given, at.plusMillis(1 + gen.magnitude(100_000_000)), author, reason);
    }

    private static RunHistory anyHistory(Generator gen, Instant now) {
        Instant slot = anyInstantNear(gen, now);
        Instant ended = gen.oneOf(now, slot, anyInstantNear(gen, now));
        return gen.oneIn(5)
                ? RunHistory.initial(slot)
                : new RunHistory(
                        gen.oneOf(slot, anyInstantNear(gen, now)),
                        gen.oneOf(0, 0, 1, 2, 7, Integer.MAX_VALUE),
                        Optional.of(new LastRun(slot, ended)));
    }

    /** Now itself is as likely as any other distance, and the past as likely as the future. */
    private static Instant anyInstantNear(Generator gen, Instant now) {
        return now.plusNanos(gen.oneOf(1, -1) * gen.magnitude(100_000_000L) * gen.oneOf(1L, 1_000L, 1_000_000L));
    }

    private static Duration anyInterval(Generator gen) {
        return Duration.ofMillis(1 + gen.magnitude(ScheduleLimits.MAX_INTERVAL.toMillis() - 1));
    }
}
