package dev.escapement.server;

import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.runner.ProcessRunner;
import dev.escapement.process.runner.RunnerSettings;
import dev.escapement.process.runner.ServerLeaseView;
import dev.escapement.server.StartException.Obstacle;
import dev.escapement.server.http.HttpServer;
import dev.escapement.server.settings.FileWatch;
import dev.escapement.server.settings.LivePolicy;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.LedgerSweep;
import dev.escapement.server.worker.Starting;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.problem.StorageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens the parts that reach the world, and says what stands in the way. */
final class Opening {

    private static final String DATABASE_FILE = "escapement.db";

    private Opening() {}

    /** The catalogue's folder; the one in the data folder is made, one that somebody named must be there. */
    static Path workflows(Settings settings) {
        Path folder = settings.workflows();
        try {
            if (settings.get(SettingsTable.WORKFLOWS).isEmpty()) {
                Files.createDirectories(folder);
            }
            if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
            return folder;
        } catch (IOException failure) {
            throw new StartException(
                    Obstacle.WORKFLOWS,
                    "workflows folder %s (%s) is no folder that can be read: name one that is there with --workflows"
                            .formatted(folder, settings.origin(SettingsTable.WORKFLOWS.key())),
                    failure);
        }
    }

    static Database database(Settings settings, DataFolder data) {
        return settings.get(SettingsTable.DATABASE).isEmpty()
                ? opened(() -> Database.openSqlite(data.path().resolve(DATABASE_FILE)))
                : postgres(settings);
    }

    static Database postgres(Settings settings) {
        return opened(() -> Database.openPostgres(
                settings.get(SettingsTable.DATABASE),
                settings.get(SettingsTable.DATABASE_USER),
                SecretText.of(settings.databasePassword().value())));
    }

    private static Database opened(Supplier<Database> database) {
        try {
            return database.get();
        } catch (StorageException problem) {
            throw new StartException(Obstacle.DATABASE, String.valueOf(problem.getMessage()), problem);
        }
    }

    /** Where a server can be reached from this machine. */
    static URI address(Settings settings, int port) {
        String host = settings.get(SettingsTable.HOST);
        boolean everywhere = host.equals("0.0.0.0") || host.equals("::");
        String reachable = everywhere ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + reachable + ":" + port);
    }

    static ProcessRunner runner(
            Settings settings,
            DataFolder data,
            Catalogue catalogue,
            dev.escapement.storage.registry.ServerRegistry fleet,
            Starting starting,
            InstantSource clock,
            Consumer<ExecutionRef> changed) {
        RunnerSettings kept = new RunnerSettings(
                data.path(),
                data.serverId(),
                settings.get(SettingsTable.RUN_OUTPUT),
                settings.get(SettingsTable.STOP_GRACE),
                settings.get(SettingsTable.KEEP_RUNS),
                settings.get(SettingsTable.KEEP_RUNS_FOR));
        ServerLeaseView others = new ServerLeaseView(fleet::isGone, starting::until);
        try {
            return ProcessRunner.open(kept, catalogue, others, changed, clock, new SecureRandom(), System.getenv());
        } catch (IOException failure) {
            throw new StartException(
                    Obstacle.DATA_FOLDER,
                    "the runs in data folder %s cannot be used: %s".formatted(data.path(), failure.getMessage()),
                    failure);
        }
    }

    static HttpServer http(Settings settings, int port, HttpServer.Parts parts) {
        try {
            return HttpServer.start(settings, port, parts);
        } catch (RuntimeException failure) {
            throw new StartException(
                    Obstacle.ADDRESS,
                    "cannot listen on %s port %d (%s): stop what uses it, or choose another with --port or --host"
                            .formatted(settings.get(SettingsTable.HOST), port, rootMessage(failure)),
                    failure);
        }
    }

    static Throwable root(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static String rootMessage(Throwable failure) {
        Throwable cause = root(failure);
        return Optional.ofNullable(cause.getMessage())
                .filter(message -> !message.isBlank())
                .orElse(cause.getClass().getSimpleName());
    }

    static FileWatch watch(Settings settings, LivePolicy policy) {
        try {
            return FileWatch.start(settings.file(), policy::reload);
        } catch (IOException failure) {
            throw new StartException(
                    Obstacle.DATA_FOLDER,
                    "the folder of settings file %s cannot be watched: %s".formatted(settings.file(), failure),
                    failure);
        }
    }

    /** What the sweep finds its way by. */
    record Candidates(Database database) implements LedgerSweep.Candidates {

        @Override
        public List<Versioned<LedgerEntry>> resting(Instant before, int limit) {
            return database.expirationCandidates(before, limit);
        }

        @Override
        public void orphans(Consumer<Target> each) {
            database.serverRegistry().forEachOrphanedTarget(each);
        }
    }
}
