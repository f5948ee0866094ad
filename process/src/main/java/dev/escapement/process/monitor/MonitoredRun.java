package dev.escapement.process.monitor;

import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunPlan;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The monitoring state of an active run. Its fields belong to the {@link EventLoop}; none of them is persistent. */
public final class MonitoredRun {

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
}
