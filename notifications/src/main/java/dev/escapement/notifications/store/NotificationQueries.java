package dev.escapement.notifications.store;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import java.util.Optional;

/** Reads notifications for people. Thread-safe. */
public interface NotificationQueries {

    /** Returns the notification of that name. */
    Optional<NotificationRequest> find(String name);

    /**
     * Lists notifications, the newest first.
     *
     * @param token empty for the first page, else that of the page before
     * @throws IllegalArgumentException if the token is invalid
     */
    Page<NotificationRequest> list(NotificationFilter filter, String token, int limit);
}
