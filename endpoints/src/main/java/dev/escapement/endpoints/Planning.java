package dev.escapement.endpoints;

import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.governor.plan.RunCandidate;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import dev.escapement.storage.jdbc.DocumentJson;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans the next run of an endpoint, from what people say of it and what has happened. Pure. */
public final class Planning {

    /** A person asked for a run at once: neither the baseline nor a hint. */
    public static final String RUN_NOW = "RUN_NOW";

    /** It never runs again. */
    public static final String ARCHIVED = "ARCHIVED";

    /** The plan of what is archived. */
    public static final Planned NEVER = new Planned(
            Optional.empty(),
            ARCHIVED,
            DocumentJson.write(PlanDocument.plain(ARCHIVED, "Never runs: it is archived.")));

    /** The planner itself failed on it. */
    public static final String UNPLANNABLE = "UNPLANNABLE";

    /** Long enough for any outage, and within what a hint may be. */
    private static final Duration WISH_LASTS = Duration.ofDays(365);

    private static final Duration UNPLANNABLE_WAITS = Duration.ofHours(1);

    private final RunPlanner planner;

    /** @param planner with its jitter */
    public Planning(RunPlanner planner) {
        this.planner = planner;
    }

    /** The next run of an endpoint that has just changed, or whose last run has just been counted. */
    public Planned plan(String id, Definition definition, Steering steering, RunHistory history, Instant now) {
        if (steering.archived()) {
            return NEVER;
        }
        try {
            return steering.runRequest()
                    .filter(wish -> isOpen(wish, history))
                    .map(wish -> atOnce(id, definition, steering, history, wish, now))
                    .orElseGet(() -> {
                        NextRunPlan plan = planner.planNextRun(schedule(id, definition, steering), history, now);
                        return planned(plan, steering, plan.source().name());
                    });
        } catch (RuntimeException unplannable) {
            // One endpoint that cannot be planned must stop no other. An hour is long enough to do no harm.
            Map<String, Object> story = PlanDocument.plain(
                    UNPLANNABLE, "It could not be planned and is tried again in an hour: " + unplannable.getMessage());
            return new Planned(Optional.of(now.plus(UNPLANNABLE_WAITS)), UNPLANNABLE, DocumentJson.write(story));
        }
    }

    /** Whether no run has answered it. */
    static boolean isOpen(RunRequest wish, RunHistory history) {
        return history.lastRun().filter(run -> !run.slot().isBefore(wish.at())).isEmpty();
    }

    /** A person's wish competes like a hint, but clamps, and what the other side asked for, do not hold it back. */
    private Planned atOnce(
            String id, Definition definition, Steering steering, RunHistory history, RunRequest wish, Instant now) {
        OneShotHint asked =
                new OneShotHint(wish.at(), wish.at(), wish.at().plus(WISH_LASTS), wish.author(), wish.reason());
        List<Hint> hints = new ArrayList<>(steering.hints());
        hints.add(asked);
        Schedule free = schedule(id, definition, steering.hints(hints)).withClamps(Optional.empty(), Optional.empty());
        RunHistory unasked = new RunHistory(
                history.origin(),
                history.failures(),
                history.lastRun().map(run -> new LastRun(run.slot(), run.endedAt())));
        NextRunPlan plan = planner.planNextRun(free, unasked, now);
        boolean taken = plan.chosen().hint().filter(asked::equals).isPresent();
        return planned(plan, steering, taken ? RUN_NOW : plan.source().name());
    }

    /** The planner knows when a pause ends; who wants it and why is told here. */
    private static NextRunPlan because(NextRunPlan plan, String reason) {
        RunCandidate pause = plan.chosen();
        RunCandidate told =
                new RunCandidate(pause.source(), pause.at(), pause.retryAfter(), pause.hint(), pause.basis() + reason);
        return new NextRunPlan(plan.at(), told, plan.clamp(), plan.rejected(), plan.withoutHints());
    }

    private static Schedule schedule(String id, Definition definition, Steering steering) {
        return new Schedule(
                id,
                definition.baseline(),
                definition.minInterval(),
                definition.maxInterval(),
                steering.pausedUntil(),
                steering.hints());
    }

    private static Planned planned(NextRunPlan made, Steering steering, String source) {
        NextRunPlan plan = made.source() == RunSource.PAUSE
                ? because(made, steering.pause().map(Pause::because).orElse(""))
                : made;
        // What a database keeps; a slot must be the same when it is read again.
        Instant slot = plan.at().truncatedTo(ChronoUnit.MICROS);
        return new Planned(Optional.of(slot), source, DocumentJson.write(PlanDocument.write(plan, source)));
    }
}
