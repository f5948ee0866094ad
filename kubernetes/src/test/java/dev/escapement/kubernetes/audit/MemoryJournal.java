package dev.escapement.kubernetes.audit;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.util.ArrayList;
import java.util.List;

/** A journal whose records expire when a test says so, as Events do. */
final class MemoryJournal implements Journal {

    private final List<Entry> entries = new ArrayList<>();
    private int nextPosition = 1;

    void append(Transition transition) {
        entries.add(new Entry(Integer.toString(nextPosition++), transition));
    }

    void expireAll() {
        entries.clear();
    }

    @Override
    public List<Entry> read(String after, int limit) {
        int position = after.equals(START) ? 0 : Integer.parseInt(after);
        return entries.stream()
                .filter(entry -> Integer.parseInt(entry.position()) > position)
                .limit(limit)
                .toList();
    }

    @Override
    public String endPosition() {
        return Integer.toString(nextPosition - 1);
    }

    @Override
    public Subscription onAppend(Runnable callback) {
        return () -> {};
    }
}
