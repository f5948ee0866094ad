package dev.escapement.server;

import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.problem.StorageException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Opens the database that the settings name. Each method throws {@link StartException} if it cannot be used. */
public final class DatabaseFactory {

    private DatabaseFactory() {}

    /** Opens the PostgreSQL database, or the SQLite file if the settings name none. */
    public static Database open(Settings settings, Path sqliteFile) {
        return settings.get(SettingsTable.DATABASE).isEmpty()
                ? openOrFail(() -> Database.openSqlite(sqliteFile))
                : openPostgres(settings);
    }

    public static Database openPostgres(Settings settings) {
        return openOrFail(() -> Database.openPostgres(
                settings.get(SettingsTable.DATABASE),
                settings.get(SettingsTable.DATABASE_USER),
                SecretText.of(settings.databasePassword().value())));
    }

    private static Database openOrFail(Supplier<Database> database) {
        try {
            return database.get();
        } catch (StorageException problem) {
            throw new StartException(StartException.Reason.DATABASE, String.valueOf(problem.getMessage()), problem);
        }
    }
}
