package dev.escapement.server.events;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Journal.Entry;
import dev.escapement.notifications.journal.JournalReader;
import dev.escapement.server.metrics.JournalMetrics;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Dispatches new journal entries in order: to the event feed, the metrics, the log and a listener. */
public final class JournalFollower implements AutoCloseable {

    private static final int BATCH_SIZE = 500;

    private final Journal journal;
    private final JournalFeed feed;
    private final JournalMetrics metrics;
    private final Consumer<Transition> listener;
    private final JournalReader reader;
    private String position;

    /**
     * Starts to read after the position of the feed.
     *
     * @param listener must not block or throw
     */
    public JournalFollower(Journal journal, JournalFeed feed, JournalMetrics metrics, Consumer<Transition> listener) {
        this.journal = journal;
        this.position = feed.position();
        this.feed = feed;
        this.metrics = metrics;
        this.listener = listener;
        this.reader =
                new JournalReader(journal, "journal", "Reading the journal", Duration.ZERO, this::dispatchNext).start();
    }

    /** Reads the journal soon, also without a notification: one may have been lost. Does not block. */
    public void readSoon() {
        reader.readSoon();
    }

    public boolean isAlive() {
        return reader.isAlive();
    }

    private boolean dispatchNext() {
        List<Entry> read = journal.read(position, BATCH_SIZE);
        if (!read.isEmpty()) {
            dispatch(read);
            position = read.get(read.size() - 1).position();
        }
        return read.size() == BATCH_SIZE;
    }

    private void dispatch(List<Entry> entries) {
        feed.append(entries);
        for (Entry entry : entries) {
            metrics.count(entry.transition());
            TransitionLogger.log(entry.transition());
            listener.accept(entry.transition());
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
