package dev.escapement.process.monitor;

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
 * Says when a file appears in a folder of a run that is going. Where the system has no such events, as on macOS, Java
 * looks every few seconds instead.
 */
public final class RunFolderWatcher implements AutoCloseable {

    private final WatchService watchService;
    private final Map<WatchKey, Runnable> callbacks = new ConcurrentHashMap<>();

    public RunFolderWatcher(WatchService service) {
        this.watchService = service;
        Thread thread = new Thread(this::listen, "escapement-run-events");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Watches a folder.
     *
     * @return ends it
     */
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
                boolean telling = key.pollEvents().stream().anyMatch(RunFolderWatcher::isRelevant);
                key.reset();
                Runnable callback = callbacks.get(key);
                if (telling && callback != null) {
                    callback.run();
                }
            }
        } catch (ClosedWatchServiceException closed) {
            callbacks.clear();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** A task has begun, or all is over; or so much happened that nobody can say what. */
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
