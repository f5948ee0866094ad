package dev.escapement.process.monitor;

import dev.escapement.common.NamedThreadFactory;
import dev.escapement.process.run.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notifies when a file appears in the folder of an active run. Where the system has no such events, as on macOS, Java
 * polls every few seconds.
 */
public final class RunFolderWatcher implements AutoCloseable {

    private final WatchService watchService;
    private final Map<WatchKey, Runnable> callbacks = new ConcurrentHashMap<>();

    public RunFolderWatcher(WatchService watchService) {
        this.watchService = watchService;
        NamedThreadFactory.daemonThread("escapement-run-events", this::listen).start();
    }

    /** Watches a folder and returns an action that ends the watch. */
    Runnable watch(Path folder, Runnable callback) throws IOException {
        WatchKey key = folder.register(watchService, StandardWatchEventKinds.ENTRY_CREATE);
        callbacks.put(key, callback);
        return () -> {
            key.cancel();
            callbacks.remove(key);
        };
    }

    private void listen() {
        try {
            while (true) {
                WatchKey key = watchService.take();
                boolean relevant = key.pollEvents().stream().anyMatch(RunFolderWatcher::isRelevant);
                key.reset();
                Runnable callback = callbacks.get(key);
                if (relevant && callback != null) {
                    callback.run();
                }
            }
        } catch (ClosedWatchServiceException closed) {
            callbacks.clear();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether a task has started, the run has ended, or events were lost. */
    private static boolean isRelevant(WatchEvent<?> event) {
        String name = String.valueOf(event.context());
        return event.kind() == StandardWatchEventKinds.OVERFLOW
                || name.endsWith(RunFolder.BEGUN_FILE)
                || name.equals(RunFolder.OVER_FILE)
                || name.equals(RunFolder.RESULT_FILE);
    }

    @Override
    public void close() {
        try {
            watchService.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
