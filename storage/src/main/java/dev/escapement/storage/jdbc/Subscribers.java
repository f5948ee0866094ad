package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of one topic. */
public final class Subscribers {

    private static final Logger LOG = LoggerFactory.getLogger(Subscribers.class);

    /** Two subscriptions of one callback are two. */
    private record Subscriber(Runnable callback, Object identity) {}

    private final CopyOnWriteArrayList<Subscriber> all = new CopyOnWriteArrayList<>();

    /** Some for each topic. */
    public static Map<Topic, Subscribers> ofEachTopic() {
        Map<Topic, Subscribers> all = new EnumMap<>(Topic.class);
        for (Topic topic : Topic.values()) {
            all.put(topic, new Subscribers());
        }
        return all;
    }

    /** Those of a topic. */
    public static Subscribers of(Map<Topic, Subscribers> all, Topic topic) {
        return Objects.requireNonNull(all.get(topic));
    }

    /** Adds one. */
    public Journal.Subscription add(Runnable callback) {
        Subscriber subscriber = new Subscriber(callback, new Object());
        all.add(subscriber);
        return () -> all.remove(subscriber);
    }

    /** Calls all. What one of them throws is its own affair: what happened is committed whatever it thinks of it. */
    public void call() {
        for (Subscriber each : all) {
            try {
                each.callback().run();
            } catch (RuntimeException failed) {
                LOG.error("a subscriber failed; it will be called again with the next news", failed);
            }
        }
    }
}
