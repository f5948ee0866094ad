package dev.escapement.notifications.store;

import dev.escapement.api.notification.NotificationRequest;

/**
 * A notification that this worker sends. Another worker may send it after the lease has expired.
 *
 * @param token of the lease; a result is recorded only while the row has it
 */
public record ClaimedNotification(NotificationRequest request, String token) {}
