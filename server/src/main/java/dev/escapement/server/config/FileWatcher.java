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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads a file when its content changes, or when it appears or disappears. Watches the folder, because editors and
 * configuration mounts replace the file or a link to it. A reload that failed is retried, at once when anything in the
 * folder changes: the same content may be usable later, such as after a change of permissions.
 */
public final class FileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

    /** Editors write in several steps. */
    private static final long DEBOUNCE_MILLIS = 100;

    private static final long RETRY_SECONDS = 5;

    private final Path file;
    private final BooleanSupplier reload;
    private final WatchService watchService;
    private final Thread thread;
    private Optional<byte[]> lastContent;

    /**
     * Starts to watch.
     *
     * @param reload returns false if the file cannot be used; called on one thread
     */
    public FileWatcher(Path file, BooleanSupplier reload) throws IOException {
        this.file = file;
        this.reload = reload;
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
            boolean loaded = true;
            while (true) {
                drain(loaded ? watchService.take() : watchService.poll(RETRY_SECONDS, TimeUnit.SECONDS));
                Optional<byte[]> content = readContent();
                if (!loaded || !Arrays.equals(lastContent.orElse(null), content.orElse(null))) {
                    lastContent = content;
                    loaded = tryReload();
                }
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("Stopped watching {}", file);
        }
    }

    private boolean tryReload() {
        try {
            return reload.getAsBoolean();
        } catch (RuntimeException failure) {
            // The thread must live on: later changes, such as the end of a token, must not be missed.
            LOG.error("Reloading {} failed; retrying", file, failure);
            return false;
        }
    }

    private void drain(@Nullable WatchKey first) throws InterruptedException {
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
