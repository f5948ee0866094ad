package dev.escapement.notifications.worker;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.notifications.journal.JournalReader;
import dev.escapement.notifications.store.NotificationOutbox;
import dev.escapement.notifications.store.NotificationOutbox.Creation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Creates the notifications of the journal's transitions.
 *
 * <p>The stored position advances only together with a notification, after many records without one, or once a minute:
 * other records change nothing when they are read again after a restart, and a write for each would double the cost of
 * an execution.
 */
public final class NotificationCreator implements JournalReader.Consumer, AutoCloseable {

    static final int BATCH_SIZE = 500;

    /** After so many records without a notification the position is stored, so that a restart reads no more. */
    static final int MAX_UNSTORED_RECORDS = 20_000;

    private final Journal journal;
    private final NotificationOutbox outbox;
    private final DeliveryListener listener;
    private final Runnable onCreated;
    private final JournalReader reader;
    private String storedPosition = Journal.START;
    private String readPosition = Journal.START;
    private int unstoredRecords;
    private volatile boolean positionDue;

    /**
     * Opens a creator, which begins at the stored position; at the end of the journal if there is none.
     *
     * @param onCreated called after notifications were created; must not block or throw
     */
    public NotificationCreator(
            Journal journal, NotificationOutbox outbox, DeliveryListener listener, Runnable onCreated) {
        this.journal = journal;
        this.outbox = outbox;
        this.listener = listener;
        this.onCreated = onCreated;
        this.reader = new JournalReader(journal, "notification-creator", "Creating notifications", Duration.ZERO, this);
        reloadPosition();
    }

    /** Starts to follow the journal. */
    public void start() {
        reader.start();
    }

    /**
     * Reads the journal soon, also without a notification: one may have been lost. Then stores the position, so that
     * other routes after a restart apply to what happens from then on. Does not block.
     */
    public void readSoon() {
        positionDue = true;
        reader.readSoon();
    }

    public boolean isAlive() {
        return reader.isAlive();
    }

    @Override
    public void recover() {
        reloadPosition();
    }

    private void reloadPosition() {
        storedPosition = outbox.position(journal.endPosition());
        readPosition = storedPosition;
        unstoredRecords = 0;
    }

    /** Processes all records of the journal that can be read now. */
    void processAll() {
        boolean more;
        do {
            more = processNext();
        } while (more);
    }

    @Override
    public boolean processNext() {
        boolean more = processBatch();
        if (!more) {
            storePositionIfDue();
        }
        return more;
    }

    private void storePositionIfDue() {
        if (positionDue) {
            positionDue = false;
            if (unstoredRecords > 0 && !store(readPosition, List.of())) {
                reloadPosition();
            }
        }
    }

    /** Returns whether there may be more records. */
    private boolean processBatch() {
        List<Journal.Entry> entries = journal.read(readPosition, BATCH_SIZE);
        if (entries.isEmpty()) {
            return false;
        }
        List<Transition> notable = entries.stream()
                .map(Journal.Entry::transition)
                .filter(outbox::isNotable)
                .toList();
        String next = entries.get(entries.size() - 1).position();
        unstoredRecords += entries.size();
        if (notable.isEmpty() && unstoredRecords < MAX_UNSTORED_RECORDS) {
            readPosition = next;
        } else if (!store(next, notable)) {
            // Another server was faster and has created these notifications; there may be more after them.
            reloadPosition();
            return true;
        }
        return entries.size() == BATCH_SIZE;
    }

    /** Returns false if another server has advanced the position. */
    private boolean store(String next, List<Transition> notable) {
        Optional<Creation> creation = outbox.create(storedPosition, next, notable);
        if (creation.isEmpty()) {
            return false;
        }
        storedPosition = next;
        readPosition = next;
        unstoredRecords = 0;
        if (!notable.isEmpty()) {
            listener.onCreated(creation.get().created(), creation.get().folded());
            onCreated.run();
        }
        return true;
    }

    @Override
    public void close() {
        reader.close();
    }
}
