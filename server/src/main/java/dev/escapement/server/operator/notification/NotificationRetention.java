package dev.escapement.server.operator.notification;

import dev.escapement.api.notification.NotificationRequestStatus;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes finished notifications, a few at a time. Reads only the cache.
 *
 * @param keepFor how long they are kept after they finished; at least an hour, so that a transition that is found again
 *     after a crash is recognised
 */
record NotificationRetention(NotificationObjects objects, Duration keepFor, InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationRetention.class);
    private static final int BATCH_SIZE = 50;
    private static final Duration BATCH_PAUSE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMinutes(10);

    WorkResult removeExpired() {
        Instant cutoff = clock.instant().minus(keepFor);
        List<NotificationRequestResource> expired = objects.writer()
                .cache()
                .all()
                .filter(resource -> resource.isFinal() && !resource.isMarkedForDeletion())
                .filter(resource -> finishedAt(resource).isBefore(cutoff))
                .limit(BATCH_SIZE)
                .toList();
        long removed = expired.stream().filter(this::tryRemove).count();
        if (removed > 0) {
            LOG.info("Notifications removed after notifications.keep-for: count={}", removed);
        }
        return WorkResult.after(removed == BATCH_SIZE ? BATCH_PAUSE : PAUSE);
    }

    /** One that cannot be deleted must not keep the others. */
    private boolean tryRemove(NotificationRequestResource resource) {
        var meta = resource.getMetadata();
        try {
            return objects.writer().tryDelete(meta.getNamespace(), meta.getName(), meta.getResourceVersion());
        } catch (KubernetesClientException refused) {
            LOG.warn(
                    "Notification {} could not be removed, will retry: {}",
                    NotificationObjects.key(resource),
                    refused.getMessage());
            return false;
        }
    }

    private static Instant finishedAt(NotificationRequestResource resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(NotificationRequestStatus::completedAt)
                .flatMap(NotificationRetention::parse)
                .orElseGet(() -> Instant.parse(resource.getMetadata().getCreationTimestamp()));
    }

    private static Optional<Instant> parse(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeParseException invalid) {
            return Optional.empty();
        }
    }
}
