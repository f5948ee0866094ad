package dev.escapement.process.monitor;

import dev.escapement.backoff.DurationText;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Until when a run, and the task that it is at, may take. */
record RunDeadline(Instant expiresAt, StopReason stopReason) {

    /** The one that comes first. */
    static RunDeadline earliest(MonitoredRun run, RunOwner.Supervisor supervisor) throws IOException {
        RunPlan plan = run.plan;
        RunDeadline all = new RunDeadline(
                plusCapped(supervisor.startedAt(), plan.timeout()),
                StopReason.timedOut("the run took longer than " + DurationText.format(plan.timeout())));
        if (run.startedTasks == 0) {
            return all;
        }
        Optional<Duration> timeout = plan.task(run.startedTasks).timeout();
        Optional<Instant> begunAt = run.folder.taskStartedAt(run.startedTasks);
        if (timeout.isEmpty() || begunAt.isEmpty() || run.folder.hasFile(run.startedTasks + ".ended")) {
            return all;
        }
        Instant ofTask = plusCapped(begunAt.get(), timeout.get());
        String message = "%s took longer than %s"
                .formatted(plan.taskTitle(run.startedTasks), DurationText.format(timeout.get()));
        return ofTask.isBefore(all.expiresAt()) ? new RunDeadline(ofTask, StopReason.timedOut(message)) : all;
    }

    private static Instant plusCapped(Instant start, Duration time) {
        // A timeout may be of any length, a date may not.
        return time.compareTo(Duration.ofDays(36_500)) > 0 ? start.plus(Duration.ofDays(36_500)) : start.plus(time);
    }
}
