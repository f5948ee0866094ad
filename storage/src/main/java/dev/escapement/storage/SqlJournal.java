package dev.escapement.storage;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.ChangeTopic;
import java.util.List;

/** The journal as a table of the database. */
record SqlJournal(Backend backend) implements Journal {

    @Override
    public List<Entry> read(String after, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
        }
        return backend.read(
                () -> "read the journal after \"" + after + "\"",
                session -> backend.journal().read(session, after, limit));
    }

    @Override
    public String endPosition() {
        return backend.read(() -> "find the end of the journal", backend.journal()::end);
    }

    @Override
    public Subscription onAppend(Runnable callback) {
        return backend.subscribe(ChangeTopic.JOURNAL, callback);
    }
}
