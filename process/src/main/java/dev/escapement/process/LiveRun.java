package dev.escapement.process;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A run that has not ended, as this server looks after it. Its fields belong to the {@link Loop}; nothing in them is
 * needed to find the run again.
 */
final class LiveRun {

    /** How hard its processes are asked to end. */
    enum Force {
        /** Not at all. */
        NONE,
        /** Its tasks are told to. */
        ASK,
        /** Its tasks are killed. */
        KILL_TASKS,
        /** Everything is killed, its supervisor too. */
        KILL_ALL
    }

    final String key;
    final RunFolder folder;
    final Plan plan;
    final Set<Long> asked = new HashSet<>();
    Force force = Force.NONE;
    int begun;
    Runnable unwatch = () -> {};
    Runnable cancelDeadline = () -> {};
    Runnable cancelAgain = () -> {};
    Runnable cancelForce = () -> {};
    CompletableFuture<?> exit = CompletableFuture.completedFuture("not followed yet");
    boolean hadItsMoment;
    boolean leftoversTold;

    /** It has its result, or it was dropped: nothing is done about it any more. */
    volatile boolean finished;

    LiveRun(String key, RunFolder folder, Plan plan) {
        this.key = key;
        this.folder = folder;
        this.plan = plan;
    }

    void letGo() {
        finished = true;
        unwatch.run();
        cancelDeadline.run();
        cancelAgain.run();
        cancelForce.run();
    }
}
