package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of one topic. */
public final class TopicSubscribers {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSubscribers.class);

    /** Two subscriptions of one callback are two. */
    private record Subscriber(Runnable callback, Object identity) {}

    private final CopyOnWriteArrayList<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    /** Some for each topic. */
    public static Map<ChangeTopic, TopicSubscribers> byTopic() {
        Map<ChangeTopic, TopicSubscribers> all = new EnumMap<>(ChangeTopic.class);
        for (ChangeTopic topic : ChangeTopic.values()) {
            all.put(topic, new TopicSubscribers());
        }
        return all;
    }

    /** Those of a topic. */
    public static TopicSubscribers forTopic(Map<ChangeTopic, TopicSubscribers> all, ChangeTopic topic) {
        return Objects.requireNonNull(all.get(topic));
    }

    /** Adds one. */
    public Journal.Subscription add(Runnable callback) {
        Subscriber subscriber = new Subscriber(callback, new Object());
        subscribers.add(subscriber);
        return () -> subscribers.remove(subscriber);
    }

    /** Calls all. What one of them throws is its own affair: what happened is committed whatever it thinks of it. */
    public void notifySubscribers() {
        for (Subscriber each : subscribers) {
            try {
                each.callback().run();
            } catch (RuntimeException failed) {
                LOG.error("a subscriber failed; it will be called again with the next news", failed);
            }
        }
    }
}
