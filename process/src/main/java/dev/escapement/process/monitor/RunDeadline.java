package dev.escapement.process.monitor;

import dev.escapement.backoff.DurationText;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The time at which a run is stopped, and the reason. */
record RunDeadline(Instant expiresAt, StopReason stopReason) {

    private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);

    /** Returns the earlier of the deadlines of the run and of its current task. */
    static RunDeadline earliest(MonitoredRun run, RunOwner.Supervisor supervisor) throws IOException {
        RunPlan plan = run.plan;
        RunDeadline ofRun = new RunDeadline(
                plusCapped(supervisor.startedAt(), plan.timeout()),
                StopReason.timedOut("the run took longer than " + DurationText.format(plan.timeout())));
        if (run.startedTasks == 0) {
            return ofRun;
        }
        Optional<Duration> timeout = plan.task(run.startedTasks).timeout();
        Optional<Instant> startedAt = run.folder.taskStartedAt(run.startedTasks);
        if (timeout.isEmpty() || startedAt.isEmpty() || run.folder.hasFile(run.startedTasks + ".ended")) {
            return ofRun;
        }
        Instant ofTask = plusCapped(startedAt.get(), timeout.get());
        String message = "%s took longer than %s"
                .formatted(plan.taskTitle(run.startedTasks), DurationText.format(timeout.get()));
        return ofTask.isBefore(ofRun.expiresAt()) ? new RunDeadline(ofTask, StopReason.timedOut(message)) : ofRun;
    }

    /** Caps the timeout at a century, because Instant overflows. */
    private static Instant plusCapped(Instant start, Duration timeout) {
        return start.plus(timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout);
    }
}
