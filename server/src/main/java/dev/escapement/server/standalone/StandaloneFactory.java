package dev.escapement.server.standalone;

import dev.escapement.engine.port.RunLogs;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.runner.ProcessRunner;
import dev.escapement.process.runner.RunnerSettings;
import dev.escapement.process.runner.RunnerSettings.ServerLeaseView;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.FileWatcher;
import dev.escapement.server.config.ReloadablePolicy;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.ServerRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens the parts of a standalone server that use files. Each method throws {@link StartException} if it cannot. */
final class StandaloneFactory {

    private StandaloneFactory() {}

    /** Returns the folder of the workflows. The default one is created; a configured one must exist. */
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
                    "workflows folder %s (%s) is not a readable folder: name an existing one with --workflows"
                            .formatted(folder, settings.origin(SettingsTable.WORKFLOWS.key())),
                    failure);
        }
    }

    static ProcessRunner openRunner(
            Settings settings,
            DataFolder data,
            Catalogue catalogue,
            ServerRegistry servers,
            ServerLease lease,
            InstantSource clock,
            Consumer<ExecutionRef> runListener) {
        RunnerSettings runnerSettings = new RunnerSettings(
                data.path(),
                data.serverId(),
                settings.get(SettingsTable.RUN_OUTPUT),
                settings.get(SettingsTable.STOP_GRACE),
                settings.get(SettingsTable.KEEP_RUNS),
                settings.get(SettingsTable.KEEP_RUNS_FOR));
        ServerLeaseView leases = new ServerLeaseView(servers::isGone, lease::startDeadline);
        try {
            return new ProcessRunner(
                    runnerSettings, catalogue, leases, runListener, clock, new SecureRandom(), System.getenv());
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "the runs in data folder %s cannot be used: %s".formatted(data.path(), failure.getMessage()),
                    failure);
        }
    }

    /** Reads the output of runs on this server; for other runs returns a note that names their server. */
    static RunLogs localLogs(RunLogs logs, String serverId) {
        return (run, from, limit) -> {
            String server = ProcessRunner.serverIdOf(run);
            if (server.equals(serverId)) {
                return logs.read(run, from, limit);
            }
            String text = "(the output of this run is on server " + server + ")\n";
            long end = text.getBytes(StandardCharsets.UTF_8).length;
            return from == 0 ? new RunLogs.Chunk(text, end, true) : new RunLogs.Chunk("", from, true);
        };
    }

    static FileWatcher watchSettingsFile(Settings settings, ReloadablePolicy policy) {
        try {
            return new FileWatcher(settings.settingsFile(), policy::reload);
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "the folder of settings file %s cannot be watched: %s".formatted(settings.settingsFile(), failure),
                    failure);
        }
    }
}
