package dev.escapement.server;

import dev.escapement.server.StartException.Obstacle;
import dev.escapement.server.metrics.Logging;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.Threads;
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
public final class Server implements Serving {

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** Where the token stands that was not given as a file, for the command line. */
    private static final String TOKEN_FILE = "token";

    private final Settings settings;
    private final Optional<Executor> executor;
    private final Rhythms rhythms;
    private final InstantSource clock;
    private final DataFolder data;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<Running> running = Optional.empty();

    private Server(
            Settings settings, DataFolder data, Optional<Executor> executor, Rhythms rhythms, InstantSource clock) {
        this.settings = settings;
        this.executor = executor;
        this.rhythms = rhythms;
        this.clock = clock;
        this.data = data;
    }

    /**
     * Starts a server; it is ready when this returns.
     *
     * @throws StartException if something stands in the way
     */
    public static Server start(Settings settings) {
        return start(settings, Optional.empty(), Rhythms.USUAL);
    }

    /** The same with something else to run the workflows. */
    public static Server start(Settings settings, Executor executor) {
        return start(settings, Optional.of(executor), Rhythms.USUAL);
    }

    static Server start(Settings settings, Optional<Executor> executor, Rhythms rhythms) {
        Logging.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        DataFolder data = DataFolder.open(settings.data());
        try {
            Server server = new Server(settings, data, executor, rhythms, InstantSource.system());
            server.begin(settings.get(SettingsTable.PORT));
            return server;
        } catch (RuntimeException failure) {
            data.close();
            throw failure;
        }
    }

    private synchronized void begin(int port) {
        AtomicBoolean noticed = new AtomicBoolean();
        running = Optional.of(Running.start(settings, data, executor, rhythms, port, clock, () -> {
            if (noticed.compareAndSet(false, true)) {
                // The thread that noticed belongs to what is to be closed.
                Threads.named("begin-anew").newThread(this::beginAnew).start();
            }
        }));
        announce();
    }

    private synchronized void beginAnew() {
        if (closed.getCount() == 0 || running.isEmpty()) {
            return;
        }
        try {
            Running old = running.get();
            int port = old.port();
            LOG.error("other servers have taken over from server {}: it begins anew", data.serverId());
            old.abandon();
            old.close();
            data.renewServerId();
            begin(port);
        } catch (RuntimeException failure) {
            LOG.error("the server cannot go on and ends", failure);
            close();
        }
    }

    private void announce() {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("url", address().toString());
        file.put("pid", ProcessHandle.current().pid());
        file.put("serverId", data.serverId());
        file.put("startedAt", clock.instant().toString());
        try {
            if (!settings.token().isEmpty()) {
                file.put("tokenFile", tokenFile().toString());
            }
            data.announce(file);
        } catch (IOException failure) {
            close();
            throw new StartException(
                    Obstacle.DATA_FOLDER,
                    "data folder %s cannot be written: %s".formatted(data.path(), failure),
                    failure);
        }
        LOG.info("listening on {}, data in {}", address(), data.path());
    }

    private Path tokenFile() throws IOException {
        if (settings.get(SettingsTable.TOKEN_FILE).isPresent()) {
            return settings.get(SettingsTable.TOKEN_FILE).get();
        }
        Path file = data.path().resolve(TOKEN_FILE);
        DataFolder.replace(file, settings.token().value() + "\n");
        return file;
    }

    @Override
    public synchronized URI address() {
        return Opening.address(settings, running.map(Running::port).orElse(0));
    }

    @Override
    public void awaitEnd() throws InterruptedException {
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
        running.ifPresent(Running::close);
        data.close();
    }
}
