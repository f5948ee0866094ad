package dev.escapement.server.notification;

import dev.escapement.notifications.config.NotificationSettings;
import dev.escapement.server.config.FileWatcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the notifications file again when it changes. One that cannot be used changes nothing. */
final class NotificationsFileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationsFileWatcher.class);

    private final Path file;
    private final Consumer<NotificationSettings> listener;
    private final FileWatcher watcher;
    private String lastProblem = "";
    private volatile boolean valid = true;

    /** @param listener called with the settings of a changed file, on one thread */
    NotificationsFileWatcher(Path file, Consumer<NotificationSettings> listener) throws IOException {
        this.file = file;
        this.listener = listener;
        this.watcher = new FileWatcher(file, this::reload);
    }

    /** Returns whether the file that is there now is in use. */
    boolean isValid() {
        return valid;
    }

    /** Returns false if the file cannot be used; its problem is logged once. */
    private synchronized boolean reload() {
        try {
            NotificationSettings settings = NotificationsFile.read(file);
            listener.accept(settings);
            valid = true;
            lastProblem = "";
            LOG.info(
                    "Notifications changed: file={} channels={} routes={}",
                    file,
                    settings.channels().keySet(),
                    settings.routing().routes().size());
            return true;
        } catch (IllegalArgumentException invalid) {
            valid = false;
            String problem = String.valueOf(invalid.getMessage());
            if (!problem.equals(lastProblem)) {
                lastProblem = problem;
                LOG.error("Notifications not changed, the old settings stay: file={}: {}", file, problem);
            }
            return false;
        }
    }

    @Override
    public void close() {
        watcher.close();
    }
}
