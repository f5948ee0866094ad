package dev.escapement.storage.jdbc;

import dev.escapement.storage.problem.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.logging.LogFactory;

/** Brings the tables of a database to the shape that this program knows. */
public final class SchemaMigrations {

    /** The newest of the files under {@code db/migration}; a test compares. */
    private static final MigrationVersion NEWEST_VERSION = MigrationVersion.fromVersion("2");

    private static final String HISTORY_TABLE = "escapement_schema_history";

    private SchemaMigrations() {}

    /** The version of the tables that this program knows. */
    public static String newestVersion() {
        return NEWEST_VERSION.getVersion();
    }

    /**
     * Whether something is missing. The tool takes a noticeable part of a start, so it is used only then.
     *
     * @param database for messages
     * @throws UnusableDatabaseException if a newer program has changed the tables
     */
    public static boolean arePending(String database, DataSource source) throws SQLException {
        Optional<MigrationVersion> found = newestVersion(source);
        if (found.isPresent() && found.get().isNewerThan(NEWEST_VERSION)) {
            throw new UnusableDatabaseException(
                    "%s has tables of version %s, and this program knows version %s: use the newer program that wrote them"
                            .formatted(database, found.get(), NEWEST_VERSION));
        }
        return found.filter(NEWEST_VERSION::equals).isEmpty();
    }

    /**
     * Applies what is missing.
     *
     * @param dialect the folder of the files
     * @param database for messages
     * @throws UnusableDatabaseException if the tables cannot be brought into shape
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
            // Only now: making it has set another.
            LogFactory.setLogCreator(FlywayLogAdapter::new);
            flyway.migrate();
        } catch (FlywayException failed) {
            for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException refused) {
                    throw refused;
                }
            }
            throw new UnusableDatabaseException(
                    "cannot bring the tables of %s into shape: %s".formatted(database, failed.getMessage()), failed);
        }
    }

    /** The version of the tables; empty if there are none, or if a change of them was not finished. */
    private static Optional<MigrationVersion> newestVersion(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            try (ResultSet tables =
                    connection.getMetaData().getTables(null, connection.getSchema(), HISTORY_TABLE, null)) {
                if (!tables.next()) {
                    return Optional.empty();
                }
            }
            return newestVersion(connection);
        }
    }

    private static Optional<MigrationVersion> newestVersion(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT version, success FROM " + HISTORY_TABLE)) {
            Optional<MigrationVersion> newest = Optional.empty();
            boolean finished = true;
            while (rows.next()) {
                MigrationVersion version = MigrationVersion.fromVersion(rows.getString(1));
                finished &= rows.getBoolean(2);
                if (newest.isEmpty() || version.isNewerThan(newest.get())) {
                    newest = Optional.of(version);
                }
            }
            return finished ? newest : Optional.empty();
        }
    }
}
