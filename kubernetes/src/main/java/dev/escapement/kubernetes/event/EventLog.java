package dev.escapement.kubernetes.event;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Events that this process has received, in the order of their versions, which is that of their creation. After a
 * restore of the cluster versions begin again at a smaller number; new Events come after those that were there. Not
 * thread-safe.
 */
final class EventLog {

    private record LoggedEvent(String key, long version, Transition transition) {

        boolean isExpired(Instant now) {
            return !EventMapper.isWithinLifetime(transition.at(), now);
        }
    }

    private final TreeMap<Long, LoggedEvent> eventsBySequence = new TreeMap<>();
    private final Map<Long, Long> sequenceByVersion = new HashMap<>();
    private final Map<String, Long> versionByKey = new HashMap<>();
    /** A list delivers Events by name: an earlier one may still come. */
    private final List<LoggedEvent> unordered = new ArrayList<>();
    /** Events that were removed before they expired, by their sequence. */
    private final TreeMap<Long, LoggedEvent> removed = new TreeMap<>();

    private long nextSequence;
    private long newestVersion;

    /**
     * Adds an Event, which is read after {@link #appendUpTo} its version; does nothing if the log has its transition.
     */
    void receive(long version, Transition transition) {
        String key = EventMapper.eventKey(transition);
        if (versionByKey.putIfAbsent(key, version) == null) {
            unordered.add(new LoggedEvent(key, version, transition));
        }
    }

    /**
     * Forgets an Event that the API server has removed. One that went earlier, with its namespace or by hand, can be
     * read for as long as it would have existed: perhaps its record was not delivered yet.
     */
    void remove(long version, Instant now) {
        while (!removed.isEmpty() && removed.firstEntry().getValue().isExpired(now)) {
            forget(removed.firstKey());
        }
        unordered.stream().filter(event -> event.version() == version).toList().forEach(event -> {
            unordered.remove(event);
            versionByKey.remove(event.key(), version);
        });
        Long sequence = sequenceByVersion.get(version);
        if (sequence == null) {
            return;
        }
        LoggedEvent event = requireNonNull(eventsBySequence.get(sequence), "no event of the sequence");
        versionByKey.remove(event.key(), version);
        if (event.isExpired(now)) {
            forget(sequence);
        } else {
            removed.put(sequence, event);
        }
    }

    /** After a restore of the cluster another Event may have the same version. */
    private void forget(long sequence) {
        removed.remove(sequence);
        LoggedEvent event = eventsBySequence.remove(sequence);
        if (event != null) {
            sequenceByVersion.remove(event.version(), sequence);
        }
    }

    /** Returns whether Events after a version exist only here. */
    boolean hasRemovedAfter(long version) {
        Long sequence = sequenceByVersion.get(version);
        return sequence == null
                ? removed.values().stream().anyMatch(kept -> kept.version() > version)
                : !removed.tailMap(sequence, false).isEmpty();
    }

    /**
     * Appends the Events up to a version.
     *
     * @param complete no Event of this version or an earlier one is still to come
     * @return whether there were any
     */
    boolean appendUpTo(long complete) {
        List<LoggedEvent> ready = unordered.stream()
                .filter(event -> event.version() <= complete)
                .sorted(Comparator.comparingLong(LoggedEvent::version))
                .toList();
        unordered.removeIf(event -> event.version() <= complete);
        ready.forEach(event -> {
            eventsBySequence.put(nextSequence, event);
            sequenceByVersion.put(event.version(), nextSequence++);
            newestVersion = Math.max(newestVersion, event.version());
        });
        return !ready.isEmpty();
    }

    /** Returns whether there are Events that were not appended yet. */
    boolean hasUnordered() {
        return !unordered.isEmpty();
    }

    /** Returns whether it has a transition, also if that is not to be read yet. */
    boolean contains(Transition transition) {
        return versionByKey.containsKey(EventMapper.eventKey(transition));
    }

    long newestVersion() {
        return newestVersion;
    }

    /**
     * Returns the last version before which no Event is missing if all up to a version were read. It is another one
     * only after a restore: a later process reads by versions.
     */
    long completeVersion(long read) {
        Long sequence = sequenceByVersion.get(read);
        return sequence == null
                ? read
                : eventsBySequence.tailMap(sequence, false).values().stream()
                        .mapToLong(LoggedEvent::version)
                        .min()
                        .stream()
                        .filter(unread -> unread < read)
                        .map(unread -> unread - 1)
                        .findFirst()
                        .orElse(read);
    }

    List<Journal.Entry> read(long after, int limit) {
        Long sequence = sequenceByVersion.get(after);
        // An unknown version is that of an Event that has expired or that only another replica has received.
        return (sequence == null ? eventsBySequence : eventsBySequence.tailMap(sequence, false))
                .values().stream()
                        .filter(event -> sequence != null || event.version() > after)
                        .limit(limit)
                        .map(event -> new Journal.Entry(Long.toUnsignedString(event.version()), event.transition()))
                        .toList();
    }
}
