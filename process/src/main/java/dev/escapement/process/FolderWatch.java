package dev.escapement.process;

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
final class FolderWatch implements AutoCloseable {

    private final WatchService service;
    private final Map<WatchKey, Runnable> callbacks = new ConcurrentHashMap<>();

    FolderWatch(WatchService service) {
        this.service = service;
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
        WatchKey key = folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
        callbacks.put(key, callback);
        return () -> {
            key.cancel();
            callbacks.remove(key);
        };
    }

    private void listen() {
        try {
            while (true) {
                WatchKey key = service.take();
                boolean telling = key.pollEvents().stream().anyMatch(FolderWatch::isTelling);
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
    private static boolean isTelling(WatchEvent<?> event) {
        String name = String.valueOf(event.context());
        return event.kind() == StandardWatchEventKinds.OVERFLOW
                || name.endsWith(RunFolder.BEGUN)
                || name.equals(RunFolder.OVER)
                || name.equals(RunFolder.RESULT);
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
