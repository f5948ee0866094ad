package dev.escapement.process.monitor;

import dev.escapement.backoff.DurationText;
import dev.escapement.process.run.RunClaim.Supervisor;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolder.StopReason;
import dev.escapement.process.run.RunPlan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The monitoring state of an active run. Its fields belong to the {@link EventLoop}; none of them is persistent. */
public final class MonitoredRun {

    private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);

    /** How the processes of a run are being terminated. */
    enum TerminationLevel {
        NONE,
        /** Sends SIGTERM to the tasks. */
        TERMINATE_TASKS,
        /** Sends SIGKILL to the tasks. */
        KILL_TASKS,
        /** Sends SIGKILL to the tasks and the supervisor. */
        KILL_ALL
    }

    public final RunFolder folder;
    final RunPlan plan;
    final Set<Long> signalledPids = new HashSet<>();
    TerminationLevel terminationLevel = TerminationLevel.NONE;
    int startedTasks;
    Runnable cancelWatch = () -> {};
    Runnable cancelDeadline = () -> {};
    Runnable cancelRecheck = () -> {};
    Runnable cancelEscalation = () -> {};
    CompletableFuture<?> supervisorExit = CompletableFuture.completedFuture("not monitored yet");
    boolean recheckDelayElapsed;
    boolean leftoversLogged;

    /** True when the run has its result or could not be started; later events are ignored. */
    volatile boolean finished;

    MonitoredRun(RunFolder folder, RunPlan plan) {
        this.folder = folder;
        this.plan = plan;
    }

    void release() {
        finished = true;
        cancelWatch.run();
        cancelDeadline.run();
        cancelRecheck.run();
        cancelEscalation.run();
    }

    /** The time at which a run is stopped, and the reason. */
    record RunDeadline(Instant expiresAt, StopReason stopReason) {}

    /** Returns the earlier of the deadlines of the run and of its current task. */
    RunDeadline deadline(Supervisor supervisor) throws IOException {
        RunDeadline ofRun = new RunDeadline(
                plusCapped(supervisor.startedAt(), plan.timeout()),
                StopReason.timedOut("the run took longer than " + DurationText.format(plan.timeout())));
        if (startedTasks == 0) {
            return ofRun;
        }
        Optional<Duration> timeout = plan.task(startedTasks).timeout();
        Optional<Instant> startedAt = folder.taskStartedAt(startedTasks);
        if (timeout.isEmpty() || startedAt.isEmpty() || folder.hasFile(startedTasks + ".ended")) {
            return ofRun;
        }
        Instant ofTask = plusCapped(startedAt.get(), timeout.get());
        String message =
                "%s took longer than %s".formatted(plan.taskTitle(startedTasks), DurationText.format(timeout.get()));
        return ofTask.isBefore(ofRun.expiresAt()) ? new RunDeadline(ofTask, StopReason.timedOut(message)) : ofRun;
    }

    /** Caps the timeout at a century, because Instant overflows. */
    private static Instant plusCapped(Instant start, Duration timeout) {
        return start.plus(timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout);
    }
}
