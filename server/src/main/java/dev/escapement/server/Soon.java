package dev.escapement.server;

import dev.escapement.server.worker.Sweeper;
import java.util.concurrent.atomic.AtomicBoolean;

/** A task that is done soon after somebody asks; however many ask before it begins, it is done once. */
final class Soon implements Runnable {

    private final Sweeper timer;
    private final String what;
    private final Runnable task;
    private final AtomicBoolean waiting = new AtomicBoolean();

    Soon(Sweeper timer, String what, Runnable task) {
        this.timer = timer;
        this.what = what;
        this.task = task;
    }

    @Override
    public void run() {
        if (waiting.compareAndSet(false, true)) {
            timer.soon(what, () -> {
                // First: who asks from now on may mean something that the task does not see.
                waiting.set(false);
                task.run();
            });
        }
    }
}
