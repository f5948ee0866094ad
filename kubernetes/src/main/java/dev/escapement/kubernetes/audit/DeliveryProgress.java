package dev.escapement.kubernetes.audit;

import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.audit.AuditOutbox.Backlog;
import dev.escapement.kubernetes.audit.AuditOutbox.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a leader has delivered: the stored position, and how far it is ahead of it. Not thread-safe. */
final class DeliveryProgress {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryProgress.class);
    private static final int MAX_CONFLICTS = 10;

    private final AuditPositionMap map;
    private final AuditBatchMaps batchMaps;
    private final AuditSources sources;
    private Versioned<AuditPosition> saved;
    private Instant savedAt;
    private String journalPosition;
    private int offset;
    private Instant recordedUntil;
    private boolean recovered;
    private long sequence;
    private int unsaved;
    private Optional<List<String>> firstBatch = Optional.empty();
    /** The journal positions of what was read last; empty texts for records of a batch. */
    private List<String> readPositions = List.of();

    DeliveryProgress(
            AuditPositionMap map, AuditBatchMaps batchMaps, AuditSources sources, Versioned<AuditPosition> saved) {
        this.map = map;
        this.batchMaps = batchMaps;
        this.sources = sources;
        this.saved = saved;
        this.savedAt = sources.clock().instant();
        this.journalPosition = sources.loadedPosition().apply(saved.value().journalPosition());
        this.offset = saved.value().offset();
        this.recordedUntil = saved.value().recordedUntil();
    }

    AuditPosition saved() {
        return saved.value();
    }

    Instant savedAt() {
        return savedAt;
    }

    /** Returns how many records were delivered since the position was stored. */
    int unsaved() {
        return unsaved;
    }

    long sequence() {
        return sequence;
    }

    String journalPosition() {
        return journalPosition;
    }

    Set<String> batchNames() {
        return saved().batches().stream().map(AuditPosition.Batch::name).collect(Collectors.toSet());
    }

    boolean hasRoom() {
        return saved().batches().size() < AuditOutbox.MAX_BATCHES;
    }

    boolean isRecovered() {
        return recovered;
    }

    void setRecovered(Instant until) {
        recovered = true;
        recordedUntil(until);
    }

    /** What expires from now on is derived again later. */
    void setIncomplete() {
        recovered = false;
    }

    Instant recordedUntil() {
        return recordedUntil;
    }

    void recordedUntil(Instant until) {
        recordedUntil = until.isAfter(recordedUntil) ? until : recordedUntil;
    }

    /** Returns the time of the oldest transition whose Event was neither delivered nor stored. */
    Optional<Instant> oldestEvent() {
        return sources.journal().read(journalPosition, 1).stream()
                .map(entry -> entry.transition().at())
                .findFirst();
    }

    List<Item> read(int limit) {
        List<Item> items = new ArrayList<>();
        List<String> positions = new ArrayList<>();
        if (saved().batches().isEmpty()) {
            for (Journal.Entry entry : sources.journal().read(journalPosition, limit)) {
                items.add(new Item(sequence + items.size() + 1, AuditBatch.toDocument(entry.transition())));
                positions.add(entry.position());
            }
        } else {
            List<String> documents = loadFirstBatch();
            for (String document : documents.subList(offset, Math.min(documents.size(), offset + limit))) {
                items.add(new Item(sequence + items.size() + 1, document));
                positions.add("");
            }
        }
        readPositions = positions;
        return items;
    }

    private List<String> loadFirstBatch() {
        if (firstBatch.isEmpty()) {
            AuditPosition.Batch batch = saved().batches().get(0);
            Optional<List<String>> stored = batchMaps.read(batch.name());
            if (stored.isEmpty()) {
                int lost = batch.records() - offset;
                if (!removeFirstBatch(batch.name())) {
                    // Another leader has delivered and removed it.
                    return List.of();
                }
                LOG.error(
                        "ConfigMap {} was removed: {} audit records since {} cannot be delivered",
                        batch.name(),
                        lost,
                        batch.oldest());
                return saved().batches().isEmpty() ? List.of() : loadFirstBatch();
            }
            firstBatch = stored;
        }
        return firstBatch.get();
    }

    /** Advances over records that were read; returns false if they have moved meanwhile. */
    boolean advance(long expected, long delivered) {
        int count = Math.toIntExact(delivered - expected);
        if (expected != sequence || count < 1 || count > readPositions.size()) {
            return false;
        }
        String position = readPositions.get(count - 1);
        readPositions = readPositions.subList(count, readPositions.size());
        sequence = delivered;
        unsaved += count;
        if (!position.isEmpty()) {
            journalPosition = position;
        } else {
            offset += count;
            if (offset >= loadFirstBatch().size()) {
                var unused = removeFirstBatch(saved().batches().get(0).name());
            }
        }
        return true;
    }

    /**
     * First the position: after a crash in between the batch is unreferenced, and removed some day.
     *
     * @return false if another operator has stored another progress
     */
    private boolean removeFirstBatch(String name) {
        firstBatch = Optional.empty();
        readPositions = List.of();
        offset = 0;
        boolean removed = save(AuditPosition::withoutFirstBatch);
        if (removed) {
            batchMaps.delete(name);
        }
        return removed;
    }

    /**
     * Stores the progress with a change. Somebody may have requested refused records again meanwhile.
     *
     * @return false if another operator has stored another progress; then this one is of no use
     */
    boolean save(UnaryOperator<AuditPosition> change) {
        for (int conflict = 0; conflict < MAX_CONFLICTS; conflict++) {
            AuditPosition next =
                    change.apply(saved().at(sources.storedPosition().apply(journalPosition), offset, recordedUntil));
            Optional<Versioned<AuditPosition>> written = map.write(saved, next);
            if (written.isPresent()) {
                accept(written.get(), next);
                return true;
            }
            Versioned<AuditPosition> fresh = map.read();
            if (!fresh.value().hasSameProgress(saved())) {
                return false;
            }
            saved = fresh;
        }
        return false;
    }

    private void accept(Versioned<AuditPosition> written, AuditPosition next) {
        boolean moved = next.batches().size() != saved().batches().size();
        if (moved) {
            // Records have moved from the journal to a batch: what was read before is delivered again.
            readPositions = List.of();
            journalPosition = next.journalPosition();
        }
        saved = written;
        offset = next.offset();
        recordedUntil(next.recordedUntil());
        savedAt = sources.clock().instant();
        unsaved = 0;
    }

    /** Reads the refused records again, which another replica may have requested. */
    void refreshLetters() {
        Versioned<AuditPosition> fresh = map.read();
        if (fresh.value().hasSameProgress(saved())) {
            saved = fresh;
        }
    }

    Backlog backlog(int maxCounted) {
        List<Journal.Entry> events = sources.journal().read(journalPosition, maxCounted);
        List<AuditPosition.Batch> batches = saved().batches();
        long stored = batches.stream().mapToLong(AuditPosition.Batch::records).sum() - offset;
        Optional<Instant> oldest = batches.stream()
                .map(AuditPosition.Batch::oldest)
                .findFirst()
                .or(() -> events.stream().map(entry -> entry.transition().at()).findFirst());
        return new Backlog(
                Math.max(0, stored) + events.size(), oldest, saved().letters().size());
    }
}
