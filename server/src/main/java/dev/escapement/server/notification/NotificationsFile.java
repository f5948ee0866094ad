package dev.escapement.server.notification;

import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.http.WebhookSigner;
import dev.escapement.notifications.config.ChannelSettings;
import dev.escapement.notifications.config.NotificationSettings;
import dev.escapement.notifications.config.NotificationSettingsReader;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.storage.SecretText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Reads the file that configures notifications. */
public final class NotificationsFile {

    private static final long MAX_FILE_BYTES = 1 << 20;

    private NotificationsFile() {}

    /**
     * Reads and checks a file.
     *
     * @throws IllegalArgumentException naming the setting in the file, its value and the rule; without secrets
     */
    public static NotificationSettings read(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
                throw new IllegalArgumentException("it must name a file of at most " + MAX_FILE_BYTES + " bytes");
            }
            Map<String, Object> document = DocumentParser.read(Files.readString(file), DocumentParser.Format.YAML);
            NotificationSettings settings = NotificationSettingsReader.read(
                    document, file.toAbsolutePath().resolveSibling(""));
            settings.channels().forEach(NotificationsFile::check);
            return settings;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the file cannot be read (%s)"
                            .formatted(unreadable.getClass().getSimpleName()),
                    unreadable);
        }
    }

    private static void check(String name, ChannelSettings channel) {
        try {
            channel.httpAddress().map(SecretText::reveal).ifPresent(EndpointUrl::parse);
            if (channel instanceof ChannelSettings.Webhook webhook) {
                webhook.signingKeys().ifPresent(WebhookSigner::withKey);
            }
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("channels." + name + ": " + invalid.getMessage(), invalid);
        }
    }
}
