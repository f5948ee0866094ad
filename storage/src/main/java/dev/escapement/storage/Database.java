package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
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
import java.util.Optional;
import java.util.function.Consumer;

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

    private static final int BATCH_SIZE = 200;

    static final String EXPIRATION_CANDIDATES_SQL = "SELECT " + LedgerRows.COLUMNS
            + " FROM ledger WHERE holder = '' AND NOT failing AND written_at < ? ORDER BY written_at, target LIMIT ?";

    static final String FINISHED_EXECUTIONS_SQL = "SELECT " + ExecutionRows.COLUMNS
            + ", executions.created_at FROM executions WHERE is_final AND created_at < ? AND (created_at, uid) > (?, ?)"
            + " ORDER BY created_at, uid LIMIT ?";

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
     * @param limit maximum number of entries; there are fewer if some cannot be read
     */
    public List<Versioned<LedgerEntry>> expirationCandidates(Instant before, int limit) {
        return backend
                .read(
                        () -> "list idle ledger entries",
                        session -> session.list(
                                EXPIRATION_CANDIDATES_SQL, LedgerRows::tryRead, EpochMicros.of(before), limit))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Passes finished executions to the callback, oldest first, in batches. Leaves out those that cannot be read. Stops
     * early when the thread is interrupted.
     *
     * @param createdBefore only executions that were created before this instant
     * @param callback may remove the execution
     */
    public void forEachFinished(Instant createdBefore, Consumer<Versioned<Execution>> callback) {
        long cutoff = EpochMicros.of(createdBefore);
        List<FinishedRow> batch = listFinished(cutoff, -1, "");
        while (!batch.isEmpty() && !Thread.currentThread().isInterrupted()) {
            batch.forEach(row -> row.execution().ifPresent(callback));
            FinishedRow last = batch.get(batch.size() - 1);
            batch = listFinished(cutoff, last.createdAt(), last.uid());
        }
    }

    /** A row of a list; one that cannot be read is skipped, but not the rows after it. */
    private record FinishedRow(String uid, long createdAt, Optional<Versioned<Execution>> execution) {}

    private List<FinishedRow> listFinished(long cutoff, long afterCreatedAt, String afterUid) {
        return backend.read(
                () -> "list finished executions",
                session -> session.list(
                        FINISHED_EXECUTIONS_SQL,
                        row -> new FinishedRow(row.getString(3), row.getLong(4), ExecutionRows.tryRead(row)),
                        cutoff,
                        afterCreatedAt,
                        afterUid,
                        BATCH_SIZE));
    }

    /**
     * Deletes the oldest records of the journal that are from before an instant; returns how many.
     *
     * @param upTo positions up to which the journal was read by those who must read all of it: the rest is kept
     */
    public int removeOldestRecords(Instant before, List<String> upTo, int limit) {
        return backend.write(
                        () -> "remove old records of the journal",
                        session -> Optional.of(backend.journal().removeOldest(session, before, upTo, limit)))
                .orElse(0);
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

    /** As {@link Backend#findWriteProblem}. */
    public Optional<String> findWriteProblem() {
        return backend.findWriteProblem();
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
