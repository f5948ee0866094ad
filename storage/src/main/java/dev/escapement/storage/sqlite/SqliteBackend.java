package dev.escapement.storage.sqlite;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Backend} on one SQLite file. All writers and subscribers of the file are in this process. */
public final class SqliteBackend extends Backend {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteBackend.class);

    private static final Duration MAX_CHECK_DURATION = Duration.ofSeconds(5);

    private static final Dialect DIALECT = new Dialect(
            "(SELECT version FROM version_floor)",
            "version + 1",
            "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            "CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000",
            "",
            "",
            "max",
            columns -> columns.stream()
                    .map(column -> column.substring(0, column.indexOf(' ')))
                    .map(name -> "value ->> '$." + name + "' AS " + name)
                    .collect(Collectors.joining(", ", "(SELECT ", " FROM json_each(?)) AS batch")));

    private final SqliteFile file;
    private final SqliteWriter writer;
    private final SqliteReaderPool readers;
    private final JournalTable journal = new SqliteJournal();

    private SqliteBackend(SqliteFile file) throws SQLException {
        super(file.toString(), DIALECT, new SqliteErrorClassifier());
        this.file = file;
        this.writer = new SqliteWriter(file.toString(), file.dataSource().getConnection(), errorClassifier, counters);
        this.readers = new SqliteReaderPool(file, counters);
    }

    /**
     * Opens a file, creating it if it does not exist, and migrates its schema.
     *
     * @throws UnusableDatabaseException if it cannot be used; the message has the file, the cause and what to do
     */
    public static Backend open(Path path) {
        SqliteFile file = SqliteFile.openExclusively(path);
        try {
            new SqliteQuickCheck(file, MAX_CHECK_DURATION, System::nanoTime).run();
            if (SchemaMigrations.arePending(file.toString(), file.dataSource())) {
                SchemaMigrations.apply("sqlite", file.toString(), file.dataSource());
            }
            return new SqliteBackend(file);
        } catch (SQLException | RuntimeException failed) {
            RuntimeException failure =
                    failed instanceof SQLException error ? unusable(file, error) : (RuntimeException) failed;
            try {
                file.close();
            } catch (UncheckedIOException second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }

    private static UnusableDatabaseException unusable(SqliteFile file, SQLException failed) {
        String advice = switch (SqliteErrorClassifier.primaryCode(failed)) {
            case SQLITE_NOTADB -> "it is not a SQLite database: choose another file, or move this one away";
            case SQLITE_CORRUPT ->
                "it is damaged: restore it from a backup, or move it away to start with an empty one";
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM ->
                "it cannot be written: check the permissions of the file and its folder";
            case SQLITE_FULL, SQLITE_IOERR -> "the disk is full or failing: free some space, and check the disk";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program has locked it: stop that program first";
            default -> "check the file";
        };
        return new UnusableDatabaseException(
                "cannot use %s: %s (%s)".formatted(file, advice, failed.getMessage()), failed);
    }

    @Override
    protected <T> T tryRead(SqlFunction<SqlSession, T> body) throws SQLException {
        return readers.read(body);
    }

    @Override
    protected <T> Optional<T> tryWrite(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        return writer.write(body);
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    @Override
    public void close() {
        super.close();
        try (file) {
            readers.close();
            // Last: the last connection to close merges the write-ahead log into the file.
            writer.close();
        } catch (SQLException | UncheckedIOException failed) {
            LOG.warn("Closing {} failed; committed data is safe", this, failed);
        }
    }

    /** The journal in SQLite. Row numbers follow the order of commits, because there is one writer at a time. */
    static final class SqliteJournal extends JournalTable {

        @Override
        protected String keyColumns() {
            return "position";
        }

        @Override
        protected List<StoredRecord> list(SqlSession session, String after, int limit) throws SQLException {
            return session.list(
                    "SELECT position, document FROM journal WHERE position > ? ORDER BY position LIMIT ?",
                    columns -> new StoredRecord(columns.getString(1), columns.getString(2)),
                    parsePosition(after).get(0),
                    limit);
        }

        @Override
        protected String positionParameters() {
            return "?";
        }

        @Override
        protected List<Object> parsePosition(String position) {
            return List.of(position.isEmpty() ? 0L : parsePositionPart(position, position));
        }

        @Override
        public String end(SqlSession session) throws SQLException {
            return session.first("SELECT max(position) FROM journal", columns -> columns.getLong(1))
                    .filter(position -> position > 0)
                    .map(String::valueOf)
                    .orElse(Journal.START);
        }
    }
}
