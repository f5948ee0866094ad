package dev.escapement.server.settings;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a file's content has changed, appeared or gone. It watches the folder: editors and configuration mounts
 * put a new file, or a new link, in the place of the old one.
 */
public final class FileWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    /** An editor writes in several steps; half a file is not worth a look. */
    private static final long SETTLING_MILLIS = 100;

    private final Path file;
    private final Runnable changed;
    private final WatchService watch;
    private final Thread thread;
    private Optional<byte[]> seen;

    private FileWatch(Path file, Runnable changed) throws IOException {
        this.file = file;
        this.changed = changed;
        Path folder = file.toAbsolutePath().resolveSibling("");
        this.watch = folder.getFileSystem().newWatchService();
        folder.register(
                watch,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE);
        // After the watch has begun: what changes from now on is an event.
        this.seen = content();
        this.thread = new Thread(this::run, "settings-watch");
        thread.setDaemon(true);
    }

    /** Watches from now on; {@code changed} is called on a thread of its own, never twice at once. */
    public static FileWatch start(Path file, Runnable changed) throws IOException {
        FileWatch started = new FileWatch(file, changed);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (true) {
                drain(watch.take());
                Optional<byte[]> now = content();
                if (!same(seen, now)) {
                    seen = now;
                    changed.run();
                }
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("no longer watching {}", file);
        }
    }

    private void drain(WatchKey first) throws InterruptedException {
        Optional<WatchKey> key = Optional.of(first);
        while (key.isPresent()) {
            key.get().pollEvents();
            key.get().reset();
            key = Optional.ofNullable(watch.poll(SETTLING_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    private Optional<byte[]> content() {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    private static boolean same(Optional<byte[]> one, Optional<byte[]> other) {
        return one.isPresent() == other.isPresent() && (one.isEmpty() || Arrays.equals(one.get(), other.get()));
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException ignored) {
            LOG.debug("closing the watch of {} failed", file);
        }
        thread.interrupt();
    }
}
