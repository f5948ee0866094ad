package dev.escapement.server;

import java.util.concurrent.atomic.AtomicBoolean;

/** A task that is done soon after somebody asks; however many ask before it begins, it is done once. */
public final class CoalescingTask implements Runnable {

    private final PeriodicTasks timer;
    private final String name;
    private final Runnable task;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    public CoalescingTask(PeriodicTasks timer, String what, Runnable task) {
        this.timer = timer;
        this.name = what;
        this.task = task;
    }

    @Override
    public void run() {
        if (scheduled.compareAndSet(false, true)) {
            timer.submit(name, () -> {
                // First: who asks from now on may mean something that the task does not see.
                scheduled.set(false);
                task.run();
            });
        }
    }
}
