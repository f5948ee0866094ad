package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The Events that this process has received, in the order of their versions, which is that of their creation. After a
 * restore of the cluster versions begin again at a smaller number; new Events come after those that were there. Not
 * thread-safe.
 */
final class EventLog {

    private record LoggedEvent(String key, long version, Transition transition) {}

    private final TreeMap<Long, LoggedEvent> eventsBySequence = new TreeMap<>();
    private final Map<Long, Long> sequenceByVersion = new HashMap<>();
    private final Map<String, Long> versionByKey = new HashMap<>();
    /** A list delivers Events by name: an earlier one may still come. */
    private final List<LoggedEvent> unordered = new ArrayList<>();
    /** When Events expire that were removed before, by their versions. */
    private final TreeMap<Long, Instant> removed = new TreeMap<>();

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
     * Forgets an Event that the API server has removed. One that went earlier, with its namespace or by hand, is kept
     * as long as it would have existed: perhaps its record was not delivered yet.
     */
    void remove(long version, Instant now) {
        List<Long> expired = removed.entrySet().stream()
                .filter(kept -> !kept.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        expired.forEach(this::forget);
        find(version)
                .map(event -> event.transition().at().plus(EventMapper.EVENT_LIFETIME))
                .filter(end -> end.isAfter(now))
                .ifPresentOrElse(end -> removed.put(version, end), () -> forget(version));
    }

    private Optional<LoggedEvent> find(long version) {
        return Optional.ofNullable(sequenceByVersion.get(version))
                .map(eventsBySequence::get)
                .or(() -> unordered.stream()
                        .filter(event -> event.version() == version)
                        .findFirst());
    }

    /** Returns whether Events after a version exist only here. */
    boolean hasRemovedAfter(long version) {
        return !removed.tailMap(version, false).isEmpty();
    }

    private void forget(long version) {
        removed.remove(version);
        Stream.concat(
                        unordered.stream().filter(event -> event.version() == version),
                        Optional.ofNullable(sequenceByVersion.remove(version)).map(eventsBySequence::remove).stream())
                .toList()
                .forEach(event -> {
                    unordered.remove(event);
                    versionByKey.remove(event.key());
                });
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
