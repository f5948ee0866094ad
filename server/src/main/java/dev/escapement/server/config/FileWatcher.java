package dev.escapement.server.config;

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
public final class FileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

    /** An editor writes in several steps; half a file is not worth a look. */
    private static final long DEBOUNCE_MILLIS = 100;

    private final Path file;
    private final Runnable changeListener;
    private final WatchService watchService;
    private final Thread thread;
    private Optional<byte[]> lastContent;

    private FileWatcher(Path file, Runnable changed) throws IOException {
        this.file = file;
        this.changeListener = changed;
        Path folder = file.toAbsolutePath().resolveSibling("");
        this.watchService = folder.getFileSystem().newWatchService();
        folder.register(
                watchService,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE);
        // After the watch has begun: what changes from now on is an event.
        this.lastContent = readContent();
        this.thread = new Thread(this::run, "settings-watch");
        thread.setDaemon(true);
    }

    /** Watches from now on; {@code changed} is called on a thread of its own, never twice at once. */
    public static FileWatcher start(Path file, Runnable changed) throws IOException {
        FileWatcher started = new FileWatcher(file, changed);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (true) {
                drain(watchService.take());
                Optional<byte[]> now = readContent();
                if (!contentEquals(lastContent, now)) {
                    lastContent = now;
                    changeListener.run();
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
            key = Optional.ofNullable(watchService.poll(DEBOUNCE_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    private Optional<byte[]> readContent() {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    private static boolean contentEquals(Optional<byte[]> one, Optional<byte[]> other) {
        return one.isPresent() == other.isPresent() && (one.isEmpty() || Arrays.equals(one.get(), other.get()));
    }

    @Override
    public void close() {
        try {
            watchService.close();
        } catch (IOException ignored) {
            LOG.debug("closing the watch of {} failed", file);
        }
        thread.interrupt();
    }
}
