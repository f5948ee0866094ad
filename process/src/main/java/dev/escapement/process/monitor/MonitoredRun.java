package dev.escapement.process.monitor;

import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunPlan;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A run that has not ended, as this server looks after it. Its fields belong to the {@link EventLoop}; nothing in them
 * is needed to find the run again.
 */
public final class MonitoredRun {

    /** How hard its processes are asked to end. */
    enum TerminationLevel {
        /** Not at all. */
        NONE,
        /** Its tasks are told to. */
        TERMINATE_TASKS,
        /** Its tasks are killed. */
        KILL_TASKS,
        /** Everything is killed, its supervisor too. */
        KILL_ALL
    }

    public final String key;
    final RunFolder folder;
    final RunPlan plan;
    final Set<Long> signalledPids = new HashSet<>();
    TerminationLevel terminationLevel = TerminationLevel.NONE;
    int startedTasks;
    Runnable cancelWatch = () -> {};
    Runnable cancelDeadline = () -> {};
    Runnable cancelRecheck = () -> {};
    Runnable cancelEscalation = () -> {};
    CompletableFuture<?> supervisorExit = CompletableFuture.completedFuture("not followed yet");
    boolean recheckDelayElapsed;
    boolean leftoversLogged;

    /** It has its result, or it was dropped: nothing is done about it any more. */
    volatile boolean finished;

    MonitoredRun(String key, RunFolder folder, RunPlan plan) {
        this.key = key;
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
