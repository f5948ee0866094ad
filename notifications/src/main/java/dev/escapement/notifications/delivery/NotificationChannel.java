package dev.escapement.notifications.delivery;

import dev.escapement.api.notification.NotificationRequest;

/**
 * Sends notifications to people. The same notification may be sent twice, after a crash or a lost answer; its name lets
 * a receiver recognise it. Thread-safe.
 */
@FunctionalInterface
public interface NotificationChannel {

    /**
     * Sends a notification and waits for the answer, for a bounded time. Returns a failure instead of throwing; its
     * text has no secrets.
     */
    DeliveryResult send(NotificationRequest request);
}
