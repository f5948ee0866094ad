package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of new records. */
public final class Subscribers {

    private static final Logger LOG = LoggerFactory.getLogger(Subscribers.class);

    /** Two subscriptions of one callback are two. */
    private record Subscriber(Runnable callback, Object identity) {}

    private final CopyOnWriteArrayList<Subscriber> all = new CopyOnWriteArrayList<>();

    /** Adds one. */
    public Journal.Subscription add(Runnable callback) {
        Subscriber subscriber = new Subscriber(callback, new Object());
        all.add(subscriber);
        return () -> all.remove(subscriber);
    }

    /** Calls all. What one of them throws is its own affair: the records are committed whatever it thinks of them. */
    public void call() {
        for (Subscriber each : all) {
            try {
                each.callback().run();
            } catch (RuntimeException failed) {
                LOG.error("a subscriber of the journal failed; it will be called again with the next record", failed);
            }
        }
    }
}
