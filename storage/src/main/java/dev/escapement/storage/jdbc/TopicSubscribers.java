package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The callbacks subscribed to {@link ChangeTopic topics}. Thread-safe. */
public final class TopicSubscribers {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSubscribers.class);

    /** The identity keeps two subscriptions of the same callback apart. */
    private record Subscriber(ChangeTopic topic, Runnable callback, Object identity) {}

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    Journal.Subscription add(ChangeTopic topic, Runnable callback) {
        Subscriber subscriber = new Subscriber(topic, callback, new Object());
        subscribers.add(subscriber);
        return () -> subscribers.remove(subscriber);
    }

    /** Calls all callbacks of a topic. Logs what they throw: the change is committed already. */
    public void notifySubscribers(ChangeTopic topic) {
        for (Subscriber each : subscribers) {
            try {
                if (each.topic() == topic) {
                    each.callback().run();
                }
            } catch (RuntimeException failed) {
                LOG.error("Subscriber failed; it will be called again with the next notification", failed);
            }
        }
    }
}
