package dev.escapement.server;

import java.util.concurrent.atomic.AtomicBoolean;

/** Runs a task on a timer thread. Calls before the task has started are merged into one run. */
public final class CoalescingTask implements Runnable {

    private final PeriodicTasks timer;
    private final String name;
    private final Runnable task;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** @param name for the log: see {@link PeriodicTasks} */
    public CoalescingTask(PeriodicTasks timer, String name, Runnable task) {
        this.timer = timer;
        this.name = name;
        this.task = task;
    }

    @Override
    public void run() {
        if (scheduled.compareAndSet(false, true)) {
            timer.submit(name, () -> {
                // Before the task runs: a later call may be about a change that the task does not see.
                scheduled.set(false);
                task.run();
            });
        }
    }
}
