package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The callbacks subscribed to one topic. Thread-safe. */
public final class TopicSubscribers {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSubscribers.class);

    /** The identity keeps two subscriptions of the same callback apart. */
    private record Subscriber(Runnable callback, Object identity) {}

    private final CopyOnWriteArrayList<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    public static Map<ChangeTopic, TopicSubscribers> byTopic() {
        Map<ChangeTopic, TopicSubscribers> all = new EnumMap<>(ChangeTopic.class);
        for (ChangeTopic topic : ChangeTopic.values()) {
            all.put(topic, new TopicSubscribers());
        }
        return all;
    }

    public static TopicSubscribers forTopic(Map<ChangeTopic, TopicSubscribers> all, ChangeTopic topic) {
        return Objects.requireNonNull(all.get(topic));
    }

    public Journal.Subscription add(Runnable callback) {
        Subscriber subscriber = new Subscriber(callback, new Object());
        subscribers.add(subscriber);
        return () -> subscribers.remove(subscriber);
    }

    /** Calls all callbacks. Logs what they throw: the change is committed already. */
    public void notifySubscribers() {
        for (Subscriber each : subscribers) {
            try {
                each.callback().run();
            } catch (RuntimeException failed) {
                LOG.error("Subscriber failed; it will be called again with the next notification", failed);
            }
        }
    }
}
