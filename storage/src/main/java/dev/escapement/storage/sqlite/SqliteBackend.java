package dev.escapement.storage.sqlite;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Batches;
import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.Retries;
import dev.escapement.storage.jdbc.Subscribers;
import dev.escapement.storage.jdbc.Topic;
import dev.escapement.storage.jdbc.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports on one file. */
public final class SqliteBackend implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteBackend.class);

    private static final Dialect DIALECT = new Dialect(
            "(SELECT version FROM version_floor)",
            "version + 1",
            "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            "CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000",
            "",
            "",
            "max",
            Batches.SQLITE);

    private final SqliteFile file;
    private final Writer writer;
    private final Readers readers;
    private final Retries retries;
    private final Counters counters;
    private final Map<Topic, Subscribers> subscribers = Subscribers.ofEachTopic();
    private final JournalTable journal = new SqliteJournal();

    SqliteBackend(SqliteFile file, Counters counters) throws SQLException {
        SqliteProblems problems = new SqliteProblems();
        this.file = file;
        this.counters = counters;
        this.writer = new Writer(describe(), file.source().getConnection(), problems, counters);
        this.readers = new Readers(file, counters);
        this.retries = new Retries(describe(), problems);
    }

    @Override
    public <T> T read(Supplier<String> what, Work<T> work) {
        return retries.run(what, () -> readers.read(work));
    }

    @Override
    public <T> Optional<T> write(Supplier<String> what, Work<Optional<T>> work) {
        return retries.run(what, () -> writer.write(work));
    }

    @Override
    public Dialect dialect() {
        return DIALECT;
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    /** Nobody else writes, so whoever wants to know is in this process. */
    @Override
    public void announce(Topic topic) {
        Subscribers.of(subscribers, topic).call();
    }

    @Override
    public Journal.Subscription subscribe(Topic topic, Runnable callback) {
        return Subscribers.of(subscribers, topic).add(callback);
    }

    @Override
    public boolean isDuplicate(SQLException refused) {
        return SqliteProblems.isDuplicate(refused);
    }

    @Override
    public String describe() {
        return "SQLite file " + file.path();
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public void close() {
        retries.close();
        try (file) {
            readers.close();
            // The last: it folds the log into the file.
            writer.close();
        } catch (SQLException | IOException failed) {
            LOG.warn("{} could not be closed well; nothing that was committed is lost", describe(), failed);
        }
    }
}
