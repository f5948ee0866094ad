package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;

/** Deadlines of connections are checked again and again, whatever fails. */
class RequestTrackerTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<String> closed = new ArrayList<>();
    private long nanos;

    /** Runs what is scheduled when the test says so. */
    private static final class ManualScheduler extends AbstractLifeCycle implements Scheduler {

        private final Deque<Runnable> scheduled = new ArrayDeque<>();

        @Override
        public Task schedule(Runnable task, long delay, TimeUnit units) {
            scheduled.add(task);
            return () -> scheduled.remove(task);
        }
    }

    /** A connection that fails when it is closed. */
    private Connection failingConnection(String name) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, given) -> {
                    return switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(self);
                        case "equals" -> self == given[0];
                        default -> {
                            closed.add(name);
                            throw new IllegalStateException("cannot be closed");
                        }
                    };
                });
    }

    @Test
    void checksAllDeadlinesAgainAfterActionFailed() throws Exception {
        ConnectionGuard guard = new ConnectionGuard(10, 1 << 20, () -> nanos);
        Server server = new Server();
        server.setHandler(new RequestTracker(guard, scheduler));
        server.start();
        try {
            guard.onOpened(failingConnection("first"));
            guard.onOpened(failingConnection("second"));
            nanos = ConnectionGuard.HEAD_TIMEOUT.toNanos() + 1;
            scheduler.scheduled.remove().run();
            assertThat(closed).containsExactlyInAnyOrder("first", "second");
            assertThat(scheduler.scheduled).hasSize(1);
            scheduler.scheduled.remove().run();
            assertThat(closed).hasSize(4);
        } finally {
            server.stop();
        }
    }

    @Test
    void checksAgainAfterCheckFailed() throws Exception {
        ConnectionGuard guard = new ConnectionGuard(10, 1 << 20, () -> {
            throw new IllegalStateException("no clock");
        });
        Server server = new Server();
        server.setHandler(new RequestTracker(guard, scheduler));
        server.start();
        try {
            scheduler.scheduled.remove().run();
            assertThat(scheduler.scheduled).hasSize(1);
        } finally {
            server.stop();
        }
    }
}
