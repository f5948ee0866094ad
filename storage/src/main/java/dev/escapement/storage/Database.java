package dev.escapement.storage;

import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.postgresql.PostgresBackendFactory;
import dev.escapement.storage.registry.ServerRegistry;
import dev.escapement.storage.sqlite.SqliteBackendFactory;
import dev.escapement.storage.table.LedgerRows;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A database with everything in it. Safe for many threads.
 *
 * <p>What goes wrong is a {@link dev.escapement.storage.problem.StorageException}; only after
 * {@link dev.escapement.storage.problem.CommitOutcomeUnknownException} may something have changed.
 */
public final class Database implements AutoCloseable {

    /**
     * What the database was asked for since it was opened.
     *
     * @param statements without those that begin and end transactions
     * @param writeTransactions that were committed
     */
    public record Counts(long statements, long writeTransactions) {

        /** What came since an earlier count. */
        public Counts since(Counts earlier) {
            return new Counts(statements - earlier.statements, writeTransactions - earlier.writeTransactions);
        }
    }

    static final String EXPIRATION_CANDIDATES_SQL = "SELECT " + LedgerRows.COLUMNS
            + " FROM ledger WHERE holder = '' AND NOT failing AND written_at < ? ORDER BY written_at, target LIMIT ?";

    private final Backend backend;
    private final ServerRegistry serverRegistry;
    private final ExecutionStore store;
    private final ExecutionQueries queries;
    private final Journal journal;

    private Database(Backend backend) {
        this.backend = backend;
        this.serverRegistry = new ServerRegistry(backend, System::nanoTime);
        this.store = new SqlExecutionStore(backend, serverRegistry);
        this.queries = new SqlExecutionQueries(backend);
        this.journal = new SqlJournal(backend);
    }

    /**
     * A file for one server; made with its folder if there is none.
     *
     * @throws dev.escapement.storage.problem.UnusableDatabaseException if it cannot be used, or another server uses it
     */
    public static Database openSqlite(Path file) {
        return new Database(SqliteBackendFactory.open(file));
    }

    /**
     * A database that exists, for as many servers as need be.
     *
     * @param url {@code jdbc:postgresql://host:port/database}, with options of the driver if need be
     * @param user empty if the URL has it
     * @param password never printed
     * @throws dev.escapement.storage.problem.UnusableDatabaseException if it cannot be used
     */
    public static Database openPostgres(String url, String user, SecretText password) {
        return new Database(PostgresBackendFactory.open(url, user, password.reveal()));
    }

    /** Executions and ledger entries. */
    public ExecutionStore store() {
        return store;
    }

    /** Look-ups for people. */
    public ExecutionQueries queries() {
        return queries;
    }

    /** What happened. */
    public Journal journal() {
        return journal;
    }

    /** The servers that share it. */
    public ServerRegistry serverRegistry() {
        return serverRegistry;
    }

    /** For the modules beside this one that keep tables of their own in it. */
    public Backend backend() {
        return backend;
    }

    /** What it was asked for so far. */
    public Counts counts() {
        return new Counts(backend.counters().statements(), backend.counters().writeTransactions());
    }

    /**
     * Entries that nobody holds and that remember no failure, those first that were written longest ago: candidates for
     * {@link LedgerEntry#expire} and removal.
     *
     * @param before only what was last written before
     * @param limit at most so many
     */
    public List<Versioned<LedgerEntry>> expirationCandidates(Instant before, int limit) {
        return backend.read(
                () -> "list resting ledger entries",
                session -> session.list(EXPIRATION_CANDIDATES_SQL, LedgerRows::read, EpochMicros.of(before), limit));
    }

    /**
     * Asks the database for a sign of life.
     *
     * @throws dev.escapement.storage.problem.StorageUnavailableException if there is none
     */
    public void ping() {
        backend.read(() -> "get an answer", session -> session.exists("SELECT 1"));
    }

    /** Which database and where, for people; without user and password. */
    @Override
    public String toString() {
        return backend.describe();
    }

    /** Waits for what is under way. */
    @Override
    public void close() {
        backend.close();
    }
}
