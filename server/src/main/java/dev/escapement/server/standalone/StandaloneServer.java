package dev.escapement.server.standalone;

import dev.escapement.common.NamedThreadFactory;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.access.GeneratedToken;
import dev.escapement.server.standalone.ServerLease.LeaseLoss;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standalone server. If its lease expires and another server takes over its executions, it restarts its components
 * with a new server id.
 *
 * <pre>{@code
 * Settings settings = SettingsReader.read(SettingsSources.ofThisProcess(flags));
 * try (StandaloneServer server = StandaloneServer.start(settings)) {
 *     out.println(server.address());
 *     server.awaitTermination();
 * }
 * }</pre>
 */
public final class StandaloneServer implements RunningService {

    private static final Logger LOG = LoggerFactory.getLogger(StandaloneServer.class);

    private static final Duration RESTART_RETRY_DELAY = Duration.ofSeconds(2);

    /** Opens a runner that replaces local processes. */
    public interface RunnerFactory {

        /**
         * Opens the runner.
         *
         * @param runListener to be called soon after a run progressed or ended; does not block
         */
        RunnerService open(Consumer<ExecutionRef> runListener, InstantSource clock);
    }

    private final Settings settings;
    private final Optional<RunnerFactory> runnerFactory;
    private final Duration unfinishedScanInterval;
    private final InstantSource clock = InstantSource.system();
    private final DataFolder dataFolder;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<StandaloneComponents> components = Optional.empty();

    StandaloneServer(Settings settings, Optional<RunnerFactory> runnerFactory, Duration unfinishedScanInterval) {
        this.runnerFactory = runnerFactory;
        this.unfinishedScanInterval = unfinishedScanInterval;
        LoggingConfiguration.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        settings.tokenWarning().ifPresent(LOG::warn);
        this.dataFolder = DataFolder.open(settings.dataFolder());
        try {
            this.settings = GeneratedToken.addTo(settings);
            startComponents(settings.get(SettingsTable.PORT), false);
        } catch (RuntimeException failure) {
            dataFolder.close();
            throw failure;
        }
    }

    /**
     * Starts a server, which is ready when this returns.
     *
     * @throws StartException if it cannot start
     */
    public static StandaloneServer start(Settings settings) {
        return new StandaloneServer(settings, Optional.empty(), StandaloneComponents.UNFINISHED_SCAN_INTERVAL);
    }

    /** Starts a server that runs workflows with another runner than local processes. */
    public static StandaloneServer start(Settings settings, RunnerFactory runnerFactory) {
        return new StandaloneServer(
                settings, Optional.of(runnerFactory), StandaloneComponents.UNFINISHED_SCAN_INTERVAL);
    }

    /** Returns whether a server of this machine, in any process, uses a data folder now. */
    public static boolean isRunning(Path dataFolder) {
        return DataFolder.isInUse(dataFolder);
    }

    private synchronized void startComponents(int port, boolean afterRestore) {
        AtomicBoolean restarting = new AtomicBoolean();
        Consumer<LeaseLoss> leaseListener = loss -> {
            if (restarting.compareAndSet(false, true)) {
                // The calling thread belongs to the components that are closed by the restart.
                NamedThreadFactory.daemonThread("restart", () -> restart(loss)).start();
            }
        };
        components = Optional.of(new StandaloneComponents(
                settings, dataFolder, runnerFactory, unfinishedScanInterval, port, clock, afterRestore, leaseListener));
        writeServerFile();
    }

    private void restart(LeaseLoss loss) {
        try {
            int port = stopForRestart(loss);
            while (closed.getCount() > 0 && !tryStart(port, loss == LeaseLoss.DATABASE_RESTORED)) {
                if (closed.await(RESTART_RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException | RuntimeException failure) {
            LOG.error("Restart failed; the server stops", failure);
            close();
        }
    }

    /** Closes the components and returns the port to listen on again; does nothing if this server was stopped. */
    private synchronized int stopForRestart(LeaseLoss loss) {
        if (closed.getCount() == 0) {
            // Stopped meanwhile: its runs continue.
            return 0;
        }
        StandaloneComponents old = components.orElseThrow();
        int port = old.http().port();
        if (loss == LeaseLoss.TAKEN_OVER) {
            LOG.error(
                    "Lease of server {} was taken over by another server; restarting with a new server id",
                    dataFolder.serverId());
            old.stopAllRuns();
            old.close();
            dataFolder.renewServerId();
        } else {
            LOG.error(
                    "The database is older than the last renewal of the lease of server {}: it was restored from a"
                            + " backup, or a standby without the latest commits took over; restarting, and starting"
                            + " nothing until all servers have checked their runs",
                    dataFolder.serverId());
            old.recordUnknownRuns(settings, dataFolder.serverId(), clock);
            old.close();
        }
        return port;
    }

    /** Returns false if the database cannot be used yet, for example while it is being restored. */
    private synchronized boolean tryStart(int port, boolean afterRestore) {
        if (closed.getCount() == 0) {
            return true;
        }
        try {
            startComponents(port, afterRestore);
            return true;
        } catch (StartException failure) {
            if (failure.reason() != Reason.DATABASE) {
                throw failure;
            }
            LOG.warn("Restart failed, will retry: {}", failure.getMessage());
            return false;
        }
    }

    private void writeServerFile() {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("url", address().toString());
        file.put("pid", ProcessHandle.current().pid());
        file.put("serverId", dataFolder.serverId());
        file.put("startedAt", clock.instant().toString());
        try {
            if (!settings.token().isEmpty()) {
                file.put("tokenFile", tokenFile().toString());
            }
            dataFolder.writeServerFile(file);
        } catch (IOException failure) {
            close();
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "data folder %s is not writable: %s".formatted(dataFolder.path(), failure),
                    failure);
        }
        LOG.info("Listening on {}, data in {}", address(), dataFolder.path());
    }

    private Path tokenFile() throws IOException {
        if (settings.get(SettingsTable.TOKEN_FILE).isPresent()) {
            return settings.get(SettingsTable.TOKEN_FILE).get();
        }
        Path file = dataFolder.path().resolve(GeneratedToken.FILE_NAME);
        DataFolder.replaceFile(file, settings.token().value() + "\n");
        return file;
    }

    @Override
    public synchronized URI address() {
        return components.orElseThrow().http().address();
    }

    /** Returns the single token; empty if authentication is off. */
    public String token() {
        return settings.token().value();
    }

    @Override
    public synchronized URI loginAddress() {
        return components.orElseThrow().http().loginAddress();
    }

    @Override
    public void awaitTermination() throws InterruptedException {
        closed.await();
    }

    /** Stops the server. Runs keep running; the next start finds them. */
    @Override
    public synchronized void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        LOG.info("Stopping; runs keep running");
        components.ifPresent(StandaloneComponents::close);
        dataFolder.close();
    }
}
