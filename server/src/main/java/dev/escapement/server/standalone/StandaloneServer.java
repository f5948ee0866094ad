package dev.escapement.server.standalone;

import dev.escapement.server.DaemonThreads;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standalone server. It works until it is closed; if other servers have taken over from it, because it was silent
 * for too long, it begins anew under a new id.
 *
 * <pre>{@code
 * Settings settings = SettingsReader.read(Sources.ofThisProcess(flags));
 * try (Server server = Server.start(settings)) {
 *     out.println(server.address());
 *     server.awaitEnd();
 * }
 * }</pre>
 */
public final class StandaloneServer implements RunningService {

    private static final Logger LOG = LoggerFactory.getLogger(StandaloneServer.class);

    /** Where the token stands that was not given as a file, for the command line. */
    private static final String TOKEN_FILE_NAME = "token";

    private final Settings settings;
    private final Optional<RunnerFactory> runnerFactory;
    private final MaintenanceIntervals intervals;
    private final InstantSource clock;
    private final DataFolder dataFolder;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<StandaloneComponents> components = Optional.empty();

    private StandaloneServer(
            Settings settings,
            DataFolder data,
            Optional<RunnerFactory> executor,
            MaintenanceIntervals rhythms,
            InstantSource clock) {
        this.settings = settings;
        this.runnerFactory = executor;
        this.intervals = rhythms;
        this.clock = clock;
        this.dataFolder = data;
    }

    /**
     * Starts a server; it is ready when this returns.
     *
     * @throws StartException if something stands in the way
     */
    public static StandaloneServer start(Settings settings) {
        return start(settings, Optional.empty(), MaintenanceIntervals.DEFAULTS);
    }

    /** The same with something else to run the workflows. */
    public static StandaloneServer start(Settings settings, RunnerFactory executor) {
        return start(settings, Optional.of(executor), MaintenanceIntervals.DEFAULTS);
    }

    static StandaloneServer start(Settings settings, Optional<RunnerFactory> executor, MaintenanceIntervals rhythms) {
        LoggingConfiguration.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        DataFolder data = DataFolder.open(settings.dataFolder());
        try {
            StandaloneServer server = new StandaloneServer(settings, data, executor, rhythms, InstantSource.system());
            server.startComponents(settings.get(SettingsTable.PORT));
            return server;
        } catch (RuntimeException failure) {
            data.close();
            throw failure;
        }
    }

    private synchronized void startComponents(int port) {
        AtomicBoolean noticed = new AtomicBoolean();
        components = Optional.of(StandaloneComponents.start(
                settings, dataFolder, runnerFactory, intervals, port, clock, () -> {
                    if (noticed.compareAndSet(false, true)) {
                        // The thread that noticed belongs to what is to be closed.
                        DaemonThreads.named("begin-anew")
                                .newThread(this::restart)
                                .start();
                    }
                }));
        writeServerFile();
    }

    private synchronized void restart() {
        if (closed.getCount() == 0 || components.isEmpty()) {
            return;
        }
        try {
            StandaloneComponents old = components.get();
            int port = old.port();
            LOG.error("other servers have taken over from server {}: it begins anew", dataFolder.serverId());
            old.stopAllRuns();
            old.close();
            dataFolder.renewServerId();
            startComponents(port);
        } catch (RuntimeException failure) {
            LOG.error("the server cannot go on and ends", failure);
            close();
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
                    "data folder %s cannot be written: %s".formatted(dataFolder.path(), failure),
                    failure);
        }
        LOG.info("listening on {}, data in {}", address(), dataFolder.path());
    }

    private Path tokenFile() throws IOException {
        if (settings.get(SettingsTable.TOKEN_FILE).isPresent()) {
            return settings.get(SettingsTable.TOKEN_FILE).get();
        }
        Path file = dataFolder.path().resolve(TOKEN_FILE_NAME);
        DataFolder.replaceFile(file, settings.token().value() + "\n");
        return file;
    }

    @Override
    public synchronized URI address() {
        return StandaloneFactory.addressOf(
                settings, components.map(StandaloneComponents::port).orElse(0));
    }

    @Override
    public void awaitTermination() throws InterruptedException {
        closed.await();
    }

    /** Takes no more requests, finishes what is being carried on, and leaves the runs alone: they are found again. */
    @Override
    public synchronized void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        LOG.info("stopping; runs go on");
        components.ifPresent(StandaloneComponents::close);
        dataFolder.close();
    }
}
