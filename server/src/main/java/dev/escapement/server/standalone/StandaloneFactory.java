package dev.escapement.server.standalone;

import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.runner.ProcessRunner;
import dev.escapement.process.runner.RunnerSettings;
import dev.escapement.process.runner.ServerLeaseView;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.FileWatcher;
import dev.escapement.server.config.ReloadablePolicy;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.RestServer;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.registry.ServerRegistry;
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
public final class StandaloneFactory {

    private static final String DATABASE_FILE = "escapement.db";

    private StandaloneFactory() {}

    /** The catalogue's folder; the one in the data folder is made, one that somebody named must be there. */
    static Path openWorkflowFolder(Settings settings) {
        Path folder = settings.workflowFolder();
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
                    Reason.WORKFLOWS,
                    "workflows folder %s (%s) is no folder that can be read: name one that is there with --workflows"
                            .formatted(folder, settings.origin(SettingsTable.WORKFLOWS.key())),
                    failure);
        }
    }

    static Database openDatabase(Settings settings, DataFolder data) {
        return settings.get(SettingsTable.DATABASE).isEmpty()
                ? openOrFail(() -> Database.openSqlite(data.path().resolve(DATABASE_FILE)))
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
            throw new StartException(Reason.DATABASE, String.valueOf(problem.getMessage()), problem);
        }
    }

    /** Where a server can be reached from this machine. */
    public static URI addressOf(Settings settings, int port) {
        String host = settings.get(SettingsTable.HOST);
        boolean everywhere = host.equals("0.0.0.0") || host.equals("::");
        String reachable = everywhere ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + reachable + ":" + port);
    }

    static ProcessRunner openRunner(
            Settings settings,
            DataFolder data,
            Catalogue catalogue,
            ServerRegistry registry,
            ServerLease lease,
            InstantSource clock,
            Consumer<ExecutionRef> changed) {
        RunnerSettings kept = new RunnerSettings(
                data.path(),
                data.serverId(),
                settings.get(SettingsTable.RUN_OUTPUT),
                settings.get(SettingsTable.STOP_GRACE),
                settings.get(SettingsTable.KEEP_RUNS),
                settings.get(SettingsTable.KEEP_RUNS_FOR));
        ServerLeaseView leases = new ServerLeaseView(registry::isGone, lease::startDeadline);
        try {
            return ProcessRunner.open(kept, catalogue, leases, changed, clock, new SecureRandom(), System.getenv());
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "the runs in data folder %s cannot be used: %s".formatted(data.path(), failure.getMessage()),
                    failure);
        }
    }

    public static RestServer startRestServer(Settings settings, int port, RestServer.Dependencies parts) {
        try {
            return RestServer.start(settings, port, parts);
        } catch (RuntimeException failure) {
            throw new StartException(
                    Reason.ADDRESS,
                    "cannot listen on %s port %d (%s): stop what uses it, or choose another with --port or --host"
                            .formatted(settings.get(SettingsTable.HOST), port, rootCauseMessage(failure)),
                    failure);
        }
    }

    public static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    public static String rootCauseMessage(Throwable failure) {
        Throwable cause = rootCause(failure);
        return Optional.ofNullable(cause.getMessage())
                .filter(message -> !message.isBlank())
                .orElse(cause.getClass().getSimpleName());
    }

    static FileWatcher watchSettingsFile(Settings settings, ReloadablePolicy policy) {
        try {
            return FileWatcher.start(settings.settingsFile(), policy::reload);
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "the folder of settings file %s cannot be watched: %s".formatted(settings.settingsFile(), failure),
                    failure);
        }
    }

    /** What the sweep finds its way by. */
    record DatabaseCandidates(Database database) implements LedgerCleaner.CandidateSource {

        @Override
        public List<Versioned<LedgerEntry>> idleEntries(Instant before, int limit) {
            return database.expirationCandidates(before, limit);
        }

        @Override
        public void forEachOrphan(Consumer<Target> each) {
            database.serverRegistry().forEachOrphanedTarget(each);
        }
    }
}
