package dev.escapement.process;

import dev.escapement.backoff.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Until when a run, and the task that it is at, may take. */
record Deadline(Instant at, Stop stop) {

    /** The one that comes first. */
    static Deadline of(LiveRun run, Claim.Supervisor supervisor) throws IOException {
        Plan plan = run.plan;
        Deadline all = new Deadline(
                plus(supervisor.at(), plan.timeout()),
                Stop.timedOut("the run took longer than " + DurationText.format(plan.timeout())));
        if (run.begun == 0) {
            return all;
        }
        Optional<Duration> timeout = plan.step(run.begun).timeout();
        Optional<Instant> begunAt = run.folder.begunAt(run.begun);
        if (timeout.isEmpty() || begunAt.isEmpty() || run.folder.has(run.begun + ".ended")) {
            return all;
        }
        Instant ofTask = plus(begunAt.get(), timeout.get());
        String message = "%s took longer than %s".formatted(plan.title(run.begun), DurationText.format(timeout.get()));
        return ofTask.isBefore(all.at()) ? new Deadline(ofTask, Stop.timedOut(message)) : all;
    }

    private static Instant plus(Instant start, Duration time) {
        // A timeout may be of any length, a date may not.
        return time.compareTo(Duration.ofDays(36_500)) > 0 ? start.plus(Duration.ofDays(36_500)) : start.plus(time);
    }
}
