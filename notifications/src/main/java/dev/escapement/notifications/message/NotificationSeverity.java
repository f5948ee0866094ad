package dev.escapement.notifications.message;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How urgent a notification is, the least urgent first. */
public enum NotificationSeverity {
    /** Good to know; nothing needs to be done. */
    INFO,
    /** A person must act, but nothing ran and nothing was changed. */
    WARNING,
    /** A person must act: a target may be half changed. */
    CRITICAL;

    /** Returns the value of the field {@code severity}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<NotificationSeverity> find(String text) {
        return Stream.of(values())
                .filter(severity -> severity.text().equals(text))
                .findFirst();
    }
}
