package dev.escapement.kubernetes.audit;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.event.EventMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit records that were not delivered yet. They are those of the Events after the delivered position. Events that
 * would expire undelivered are copied to stored batches, which come first. What has no Event any more, because no
 * operator ran or none could be created, is derived again from the stored executions and targets.
 *
 * <p>Only the leader reads and advances. If a second operator believes that it leads too, records are delivered again
 * under the same id; every write of the position is a compare-and-set. Thread-safe.
 */
public final class AuditOutbox {

    /** Undelivered Events of this age are stored. Much less than their lifetime, so that attempts can fail. */
    static final Duration STORE_AGE = Duration.ofMinutes(15);

    /** Bounds how many records are delivered again after a crash, and how often the position is written. */
    static final Duration SAVE_INTERVAL = Duration.ofMinutes(1);

    static final int MAX_BATCHES = 64;
    static final int MAX_LETTERS = 200;
    private static final int MAX_LETTER_CHARACTERS = 250_000;
    private static final int MAX_UNSAVED = 5_000;
    private static final int MAX_COUNTED = 100_000;
    private static final Duration ORPHAN_AGE = Duration.ofDays(1);
    private static final Logger LOG = LoggerFactory.getLogger(AuditOutbox.class);

    /** A record to deliver. Numbers are of this process. */
    public record Item(long sequence, String document) {}

    /** How much is undelivered, since when, and how many records were refused. */
    public record Backlog(long records, Optional<Instant> oldest, long letters) {}

    private final AuditSources sources;
    private final AuditPositionMap map;
    private final AuditBatchMaps batchMaps;
    private volatile BooleanSupplier leading = () -> false;
    /** Empty while another operator leads. */
    private Optional<DeliveryProgress> progress = Optional.empty();
    /** Retention asks for it without the lock, which is held during requests. */
    private volatile Instant recordedUntil = Instant.EPOCH;

    private volatile boolean complete;
    private boolean refreshRequested;
    private Instant lettersReadAt = Instant.EPOCH;

    /** @param namespace of the operator, for its ConfigMaps */
    public AuditOutbox(KubernetesClient client, String namespace, AuditSources sources) {
        this.sources = sources;
        this.map = new AuditPositionMap(client, namespace);
        this.batchMaps = new AuditBatchMaps(client, namespace);
    }

    /** Starts to deliver whenever this replica leads. */
    public void start(BooleanSupplier whileLeading) {
        leading = whileLeading;
    }

    /** Returns whether this replica leads, and so may read and advance. */
    public synchronized boolean isActive() {
        return active().isPresent();
    }

    private Optional<DeliveryProgress> active() {
        if (!leading.getAsBoolean()) {
            progress = Optional.empty();
            complete = false;
        } else if (progress.isEmpty()) {
            var loaded = new DeliveryProgress(map, batchMaps, sources, map.read());
            batchMaps.deleteUnreferenced(loaded.batchNames(), now().minus(ORPHAN_AGE));
            progress = Optional.of(loaded);
        }
        return progress;
    }

    private Instant now() {
        return sources.clock().instant();
    }

    /** Returns the number of the last record that was delivered or refused. */
    public synchronized long position() {
        return progress.map(DeliveryProgress::sequence).orElse(0L);
    }

    /** Returns the next records, in order; none while another replica leads. */
    public synchronized List<Item> read(int limit) {
        Optional<DeliveryProgress> current = active();
        current.ifPresent(this::saveIfDue);
        return active().map(ready -> ready.read(limit)).orElse(List.of());
    }

    /** Advances over delivered records; does nothing if they were stored or the lead was lost meanwhile. */
    public synchronized void advance(long expected, long delivered) {
        active().filter(current -> current.advance(expected, delivered)).ifPresent(this::saveIfDue);
    }

    private void saveIfDue(DeliveryProgress current) {
        if (current.unsaved() > 0
                && (current.unsaved() >= MAX_UNSAVED
                        || !now().isBefore(current.savedAt().plus(SAVE_INTERVAL)))) {
            save(current, UnaryOperator.identity());
        }
    }

    /** Stores the progress with a change; if another operator has stored another progress, this one is forgotten. */
    private boolean save(DeliveryProgress current, UnaryOperator<AuditPosition> change) {
        boolean saved = current.save(change);
        if (!saved) {
            LOG.warn("Another operator has delivered audit records; some are delivered again");
            progress = Optional.empty();
        }
        return saved;
    }

    /** Stores the progress, for the next leader. */
    public synchronized void release() {
        progress.ifPresent(current -> save(current, UnaryOperator.identity()));
        progress = Optional.empty();
    }

    /** Stores Events before they expire, and derives what has none. To be called about once a minute. */
    public synchronized void maintain() {
        active().ifPresent(current -> {
            Instant now = now();
            boolean stored = storeOldEvents(current, now);
            boolean noneExpired = current.oldestEvent()
                    .map(at -> at.isAfter(now.minus(EventMapper.EVENT_LIFETIME.dividedBy(2))))
                    .orElse(true);
            boolean recorded = stored && noneExpired && sources.eventsComplete().getAsBoolean();
            Instant until = now.minus(EventMapper.EVENT_LIFETIME);
            // While Events cannot be created, everything older than their lifetime is derived from time to time.
            boolean late = current.recordedUntil().isBefore(until.minus(EventMapper.EVENT_LIFETIME));
            if (!stored) {
                // Events expire now that have no record.
                current.setIncomplete();
            } else if (progress.isPresent() && (!current.isRecovered() || late)) {
                recover(current, until);
            } else if (recorded) {
                current.recordedUntil(until);
            }
            complete = recorded && current.isRecovered();
            recordedUntil = current.recordedUntil();
            progress.ifPresent(this::saveIfDue);
        });
    }

    private boolean storeOldEvents(DeliveryProgress current, Instant now) {
        boolean due = current.oldestEvent()
                        .filter(at -> !at.isAfter(now.minus(STORE_AGE)))
                        .isPresent()
                // Not with the last batches, which are for what is old.
                || (current.saved().batches().size() < MAX_BATCHES / 2
                        && sources.eventsRemoved().test(current.journalPosition()));
        while (due && progress.isPresent()) {
            List<Journal.Entry> entries = sources.journal().read(current.journalPosition(), AuditBatch.MAX_RECORDS);
            if (entries.isEmpty()) {
                return true;
            } else if (!current.hasRoom()) {
                LOG.error(
                        "Undelivered audit records: {} stored batches, no more are stored. Executions are kept until"
                                + " their records can be derived again; make the audit sink available",
                        MAX_BATCHES);
                return false;
            }
            AuditBatch batch = AuditBatch.first(
                    entries.stream().map(Journal.Entry::transition).toList());
            String position = entries.get(batch.size() - 1).position();
            store(current, batch, next -> next.at(position, next.offset(), next.recordedUntil()));
        }
        return true;
    }

    private boolean store(DeliveryProgress current, AuditBatch batch, UnaryOperator<AuditPosition> change) {
        // First the batch: after a crash in between the position does not name it, and the records are stored again.
        String name = batchMaps.create(batch.documents());
        var added = new AuditPosition.Batch(name, batch.size(), batch.oldest());
        LOG.info("Undelivered audit records stored in ConfigMap {}: records={}", name, batch.size());
        return save(current, next -> change.apply(next.withBatch(added)));
    }

    /** Derives the records that have no Event any more, and stores them. */
    private void recover(DeliveryProgress current, Instant until) {
        List<Transition> rest = until.isAfter(current.recordedUntil())
                ? sources.history().apply(current.recordedUntil(), until)
                : List.of();
        while (!rest.isEmpty()) {
            if (!current.hasRoom()) {
                return;
            }
            AuditBatch batch = AuditBatch.first(rest);
            rest = rest.subList(batch.size(), rest.size());
            // What is left may have happened earlier than the newest of the batch.
            Instant reached = rest.stream()
                    .map(Transition::at)
                    .min(Comparator.naturalOrder())
                    .map(left -> left.minusNanos(1))
                    .orElse(until);
            if (!store(current, batch, next -> next.at(next.journalPosition(), next.offset(), reached))) {
                return;
            }
        }
        current.setRecovered(until);
    }

    /** Returns whether the records of an execution that ended then do not depend on it any more. */
    public boolean isRecorded(Instant endedAt) {
        return complete || !endedAt.isAfter(recordedUntil);
    }

    /** Returns how much is undelivered; nothing while another replica leads. */
    public synchronized Backlog backlog() {
        return active().map(current -> current.backlog(MAX_COUNTED))
                .orElseGet(() -> new Backlog(0, Optional.empty(), 0));
    }

    /**
     * Stores a refused record and advances over it.
     *
     * @throws IllegalStateException if there are too many of them; then nothing more is delivered until a person has
     *     replayed them
     */
    public synchronized void addLetter(long expected, RefusedRecord letter) {
        active().ifPresent(current -> {
            AuditPosition known = current.saved();
            if (known.letters().size() >= MAX_LETTERS || known.letterCharacters() >= MAX_LETTER_CHARACTERS) {
                refreshRequested = true;
                throw new IllegalStateException(
                        "the receiver has refused %d audit records: correct it and replay them before more are sent"
                                .formatted(known.letters().size()));
            }
            if (current.advance(expected, expected + 1)) {
                save(current, next -> next.withLetter(letter));
            }
        });
    }

    /** Returns the refused records, also while another replica leads. */
    public List<RefusedRecord> letters() {
        return map.read().value().letters();
    }

    /** Marks all refused records to be delivered again, also while another replica leads. Returns how many. */
    public int requestReplay() {
        for (; ; ) {
            var seen = map.read();
            int count = seen.value().letters().size();
            if (count == 0
                    || map.write(seen, seen.value().withLetters(RefusedRecord::withReplayRequested))
                            .isPresent()) {
                synchronized (this) {
                    refreshRequested = true;
                }
                return count;
            }
        }
    }

    /** Returns the first refused record to deliver again. */
    public synchronized Optional<RefusedRecord> nextReplay() {
        return active().flatMap(current -> {
            boolean refresh = refreshRequested || !now().isBefore(lettersReadAt.plus(SAVE_INTERVAL));
            if (refresh && !current.saved().letters().isEmpty()) {
                refreshRequested = false;
                lettersReadAt = now();
                current.refreshLetters();
            }
            return current.saved().letters().stream()
                    .filter(RefusedRecord::replayRequested)
                    .findFirst();
        });
    }

    public synchronized void removeLetter(long sequence) {
        active().ifPresent(current -> save(current, next -> next.withoutLetter(sequence)));
    }

    /** Replaces a record that was refused again. */
    public synchronized void replaceLetter(RefusedRecord letter) {
        active().ifPresent(current -> save(
                current, next -> next.withLetters(known -> known.sequence() == letter.sequence() ? letter : known)));
    }
}
