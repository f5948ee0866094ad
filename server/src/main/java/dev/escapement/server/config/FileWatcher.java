package dev.escapement.server.config;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.escapement.common.NamedThreadFactory;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener when the content of a file changes, or when the file appears or disappears. Watches the folder,
 * because editors and configuration mounts replace the file or a link to it.
 */
public final class FileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

    /** Editors write in several steps. */
    private static final long DEBOUNCE_MILLIS = 100;

    private final Path file;
    private final Runnable changeListener;
    private final WatchService watchService;
    private final Thread thread;
    private Optional<byte[]> lastContent;

    /** Starts to watch. The listener is called on one thread. */
    public FileWatcher(Path file, Runnable changeListener) throws IOException {
        this.file = file;
        this.changeListener = changeListener;
        Path folder = file.toAbsolutePath().resolveSibling("");
        this.watchService = folder.getFileSystem().newWatchService();
        folder.register(watchService, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE);
        // After the watch was registered, so that no change is missed.
        this.lastContent = readContent();
        this.thread = NamedThreadFactory.daemonThread("settings-watch", this::run);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                drain(watchService.take());
                Optional<byte[]> content = readContent();
                if (!Arrays.equals(lastContent.orElse(null), content.orElse(null))) {
                    lastContent = content;
                    changeListener.run();
                }
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("Stopped watching {}", file);
        }
    }

    private void drain(WatchKey first) throws InterruptedException {
        for (WatchKey key = first; key != null; key = watchService.poll(DEBOUNCE_MILLIS, TimeUnit.MILLISECONDS)) {
            key.pollEvents();
            key.reset();
        }
    }

    private Optional<byte[]> readContent() {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            watchService.close();
        } catch (IOException ignored) {
            LOG.debug("Closing the watch of {} failed", file);
        }
        thread.interrupt();
    }
}
