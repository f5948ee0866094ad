package dev.escapement.storage.sqlite;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlRetrier;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.jdbc.TopicSubscribers;
import dev.escapement.storage.jdbc.TransactionBody;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Backend} on one SQLite file. */
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
            BatchSyntax.SQLITE);

    private final SqliteFile file;
    private final SqliteWriter writer;
    private final SqliteReaderPool readers;
    private final SqlRetrier retrier;
    private final StatementCounters counters;
    private final Map<ChangeTopic, TopicSubscribers> subscribers = TopicSubscribers.byTopic();
    private final JournalTable journal = new SqliteJournal();

    SqliteBackend(SqliteFile file, StatementCounters counters) throws SQLException {
        SqliteErrorClassifier errorClassifier = new SqliteErrorClassifier();
        this.file = file;
        this.counters = counters;
        this.writer = new SqliteWriter(describe(), file.dataSource().getConnection(), errorClassifier, counters);
        this.readers = new SqliteReaderPool(file, counters);
        this.retrier = new SqlRetrier(describe(), errorClassifier);
    }

    @Override
    public <T> T read(Supplier<String> what, TransactionBody<T> body) {
        return retrier.run(what, () -> readers.read(body));
    }

    @Override
    public <T> Optional<T> write(Supplier<String> what, TransactionBody<Optional<T>> body) {
        return retrier.run(what, () -> writer.write(body));
    }

    @Override
    public Dialect dialect() {
        return DIALECT;
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    /** All writers and subscribers of a SQLite file are in this process. */
    @Override
    public void publish(ChangeTopic topic) {
        TopicSubscribers.forTopic(subscribers, topic).notifySubscribers();
    }

    @Override
    public Journal.Subscription subscribe(ChangeTopic topic, Runnable callback) {
        return TopicSubscribers.forTopic(subscribers, topic).add(callback);
    }

    @Override
    public boolean isUniqueViolation(SQLException error) {
        return SqliteErrorClassifier.isUniqueViolation(error);
    }

    @Override
    public String describe() {
        return "SQLite file " + file.path();
    }

    @Override
    public StatementCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        retrier.close();
        try (file) {
            readers.close();
            // Last: the last connection to close merges the write-ahead log into the file.
            writer.close();
        } catch (SQLException | IOException failed) {
            LOG.warn("Closing {} failed; committed data is safe", describe(), failed);
        }
    }
}
