package dev.escapement.storage;

import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.StatementCounters.Counts;
import dev.escapement.storage.postgresql.PostgresBackend;
import dev.escapement.storage.sqlite.SqliteBackend;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * An open database: executions, ledger, journal and the registry of servers. Thread-safe.
 *
 * <p>All methods throw a {@link dev.escapement.storage.problem.StorageException} when the database fails. Nothing was
 * changed then, unless it is a {@link dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException}.
 *
 * @param backend for other modules that have tables of their own in this database
 */
public record Database(
        Backend backend, ServerRegistry serverRegistry, ExecutionStore store, ExecutionQueries queries, Journal journal)
        implements AutoCloseable {

    static final String EXPIRATION_CANDIDATES_SQL = "SELECT " + LedgerRows.COLUMNS
            + " FROM ledger WHERE holder = '' AND NOT failing AND written_at < ? ORDER BY written_at, target LIMIT ?";

    private static Database of(Backend backend) {
        ServerRegistry serverRegistry = new ServerRegistry(backend, System::nanoTime);
        return new Database(
                backend,
                serverRegistry,
                new SqlExecutionStore(backend, serverRegistry),
                new SqlExecutionQueries(backend),
                new SqlJournal(backend));
    }

    /**
     * Opens a file for one server; creates the file and its folder if they do not exist.
     *
     * @throws dev.escapement.storage.problem.StorageException.UnusableDatabaseException if the file cannot be used, or
     *     another server uses it
     */
    public static Database openSqlite(Path file) {
        return of(SqliteBackend.open(file));
    }

    /**
     * Opens an existing database that several servers may share.
     *
     * @param url {@code jdbc:postgresql://host:port/database}, optionally with driver options
     * @param user empty if the URL contains it
     * @param password never printed
     * @throws dev.escapement.storage.problem.StorageException.UnusableDatabaseException if the database cannot be used
     */
    public static Database openPostgres(String url, String user, SecretText password) {
        return of(PostgresBackend.open(url, user, password.reveal()));
    }

    public Counts counts() {
        return backend.counters().read();
    }

    /**
     * Lists ledger entries without a holder and without failures, least recently written first. They are candidates for
     * {@link LedgerEntry#expire} and removal.
     *
     * @param before only entries last written before this instant
     * @param limit maximum number of entries
     */
    public List<Versioned<LedgerEntry>> expirationCandidates(Instant before, int limit) {
        return backend.read(
                () -> "list idle ledger entries",
                session -> session.list(EXPIRATION_CANDIDATES_SQL, LedgerRows::read, EpochMicros.of(before), limit));
    }

    /**
     * Executes one trivial query.
     *
     * @throws dev.escapement.storage.problem.StorageException.StorageUnavailableException if the database does not
     *     respond
     */
    public void ping() {
        backend.read(() -> "ping the database", session -> session.exists("SELECT 1"));
    }

    /** Returns kind and location for messages, without user and password. */
    @Override
    public String toString() {
        return backend.toString();
    }

    /** Closes the database after operations in progress have finished. */
    @Override
    public void close() {
        backend.close();
    }

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
}
