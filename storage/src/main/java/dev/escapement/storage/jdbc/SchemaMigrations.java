package dev.escapement.storage.jdbc;

import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Migrates the schema of a database to the version of this program. */
public final class SchemaMigrations {

    /** The newest version under {@code db/migration}; a test compares. */
    public static final MigrationVersion NEWEST_VERSION = MigrationVersion.fromVersion("7");

    private static final String HISTORY_TABLE = "escapement_schema_history";

    private SchemaMigrations() {}

    /**
     * Returns whether migrations are missing. Flyway takes a noticeable part of the start-up time, so it is used only
     * then.
     *
     * @param database for messages
     * @throws UnusableDatabaseException if the schema is newer than this program
     */
    public static boolean arePending(String database, DataSource source) throws SQLException {
        Optional<MigrationVersion> found = newestVersion(source);
        if (found.isPresent() && found.get().isNewerThan(NEWEST_VERSION)) {
            throw new UnusableDatabaseException(
                    "%s has schema version %s, but this program supports version %s: use a newer version of Escapement"
                            .formatted(database, found.get(), NEWEST_VERSION));
        }
        return found.filter(NEWEST_VERSION::equals).isEmpty();
    }

    /**
     * Applies the missing migrations.
     *
     * @param dialect folder of the migrations
     * @param database for messages
     * @throws UnusableDatabaseException if a migration fails
     */
    public static void apply(String dialect, String database, DataSource source) throws SQLException {
        try {
            Flyway flyway = Flyway.configure(SchemaMigrations.class.getClassLoader())
                    .dataSource(source)
                    .locations("classpath:db/migration/" + dialect)
                    .table(HISTORY_TABLE)
                    .baselineOnMigrate(false)
                    .cleanDisabled(true)
                    .load();
            // After load(): that sets a log creator of its own.
            LogFactory.setLogCreator(FlywayLogAdapter::new);
            flyway.migrate();
        } catch (FlywayException failed) {
            for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException error) {
                    throw error;
                }
            }
            throw new UnusableDatabaseException(
                    "cannot migrate the schema of %s: %s".formatted(database, failed.getMessage()), failed);
        }
    }

    /** Returns the version of the schema; empty if there is none or a migration did not finish. */
    private static Optional<MigrationVersion> newestVersion(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                ResultSet tables =
                        connection.getMetaData().getTables(null, connection.getSchema(), HISTORY_TABLE, null)) {
            SqlSession session = new SqlSession(connection, new StatementCounters(), 0);
            if (!tables.next() || session.exists("SELECT 1 FROM " + HISTORY_TABLE + " WHERE NOT success")) {
                return Optional.empty();
            }
            return session
                    .list("SELECT version FROM " + HISTORY_TABLE, row -> MigrationVersion.fromVersion(row.getString(1)))
                    .stream()
                    .max(Comparator.naturalOrder());
        }
    }

    /** Forwards Flyway's log to SLF4J: warnings as they are, everything else at debug level or below. */
    record FlywayLogAdapter(Logger log) implements Log {

        FlywayLogAdapter(Class<?> source) {
            this(LoggerFactory.getLogger(source));
        }

        @Override
        public void debug(String message) {
            log.trace(message);
        }

        @Override
        public void info(String message) {
            log.debug(message);
        }

        @Override
        public void notice(String message) {
            log.debug(message);
        }

        @Override
        public void warn(String message) {
            log.warn(message);
        }

        /** Flyway also throws what it logs as an error; the caller that catches it reports it. */
        @Override
        public void error(String message) {
            log.debug(message);
        }

        @Override
        public void error(String message, Exception cause) {
            log.debug(message, cause);
        }
    }
}
