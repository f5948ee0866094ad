package dev.escapement.server.notification;

import dev.escapement.notifications.config.NotificationSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The notifications file and what it had at the start.
 *
 * @param file empty without configuration
 */
public record NotificationsSource(Optional<Path> file, NotificationSettings settings) {

    public static final NotificationsSource NONE =
            new NotificationsSource(Optional.empty(), NotificationSettings.DEFAULT);

    /**
     * Reads and checks a file.
     *
     * @throws IllegalArgumentException naming the setting in the file, its value and the rule; without secrets
     */
    public static NotificationsSource read(Path file) {
        return new NotificationsSource(Optional.of(file), NotificationsFile.read(file));
    }

    /** Shown as the value of the setting. */
    @Override
    public String toString() {
        return file.map(Path::toString).orElse("");
    }
}
