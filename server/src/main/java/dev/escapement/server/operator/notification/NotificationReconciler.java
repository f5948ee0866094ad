package dev.escapement.server.operator.notification;

import dev.escapement.api.notification.NotificationRequestStatus;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.delivery.ChannelSender;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.worker.DeliveryListener;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers notifications that are due: claims one by the phase Sending, sends it to the channels that have not received
 * it, and records the results with the time of the next attempt. Every write is under the version that was read.
 *
 * <p>A notification is sent at least once. If a process ends while it sends, the phase stays Sending; when that version
 * has not changed for as long as sending takes, the notification is sent again. Thread-safe; of one notification only
 * one thread at a time.
 */
final class NotificationReconciler {

    /**
     * What it works with.
     *
     * @param permits bounds what is sent at once
     */
    record Components(
            NotificationObjects objects,
            ChannelSender sender,
            DeliveryListener listener,
            InstantSource clock,
            LongSupplier ticker,
            ChannelPermits permits) {}

    private static final Logger LOG = LoggerFactory.getLogger(NotificationReconciler.class);
    private static final Duration MAX_DELAY = Duration.ofHours(1);
    private static final int HTTP_UNPROCESSABLE = 422;

    private final Components components;
    private final Supplier<Duration> lease;
    private final BooleanSupplier leading;
    /** Results of attempts that could not be recorded yet, by uid. */
    private final Map<String, Map<String, DeliveryResult>> unrecorded = new ConcurrentHashMap<>();
    /** When a claim of another process was first seen, by uid. */
    private final Map<String, SeenClaim> seenClaims = new ConcurrentHashMap<>();

    private record SeenClaim(String version, long since) {}

    /**
     * Creates a reconciler.
     *
     * @param lease longer than all channels together take to send one notification
     * @param leading whether this replica may send
     */
    NotificationReconciler(Components components, Supplier<Duration> lease, BooleanSupplier leading) {
        this.components = components;
        this.lease = lease;
        this.leading = leading;
    }

    /** @param retry enqueues the notification again; called when a busy channel is free */
    WorkResult reconcile(String namespace, String name, Runnable retry) {
        Optional<NotificationRequestResource> found =
                components.objects().writer().cache().get(namespace, name);
        if (found.isEmpty() || !leading.getAsBoolean()) {
            return WorkResult.DONE;
        }
        NotificationRequestResource resource = found.get();
        if (resource.isFinal() || resource.isMarkedForDeletion()) {
            forget(resource);
            return WorkResult.DONE;
        }
        Delivery delivery;
        try {
            delivery = Delivery.of(
                    resource,
                    components.objects().isOwn(resource),
                    components.sender().channels().keySet());
        } catch (IllegalArgumentException invalid) {
            return fail(resource, String.valueOf(invalid.getMessage()));
        }
        Map<String, DeliveryResult> results = unrecorded.get(uidOf(resource));
        if (results != null) {
            return record(resource, delivery, results);
        }
        Duration delay = untilDue(resource, delivery.status());
        if (delay.compareTo(Duration.ZERO) > 0) {
            return resource.phase().isPresent() || writePending(resource, delivery.status())
                    ? WorkResult.after(delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY)
                    : WorkResult.CONFLICT;
        }
        if (delivery.status().phase() == DeliveryPhase.Sending) {
            // Its sender ended. That counts as an attempt, so that one that ends every sender is not sent for ever.
            return record(resource, delivery, Map.of());
        }
        List<String> open = delivery.status().openChannels(delivery.channels());
        if (!components.permits().tryAcquire(open, uidOf(resource), retry)) {
            return WorkResult.DONE;
        }
        try {
            return claim(resource, delivery)
                    .map(claimed -> send(claimed, delivery))
                    .orElse(WorkResult.CONFLICT);
        } finally {
            components.permits().release(open);
        }
    }

    private static String uidOf(NotificationRequestResource resource) {
        return resource.getMetadata().getUid();
    }

    private void forget(NotificationRequestResource resource) {
        unrecorded.remove(uidOf(resource));
        seenClaims.remove(uidOf(resource));
    }

    private Duration untilDue(NotificationRequestResource resource, DeliveryStatus status) {
        if (status.phase() != DeliveryPhase.Sending) {
            seenClaims.remove(uidOf(resource));
            Instant now = components.clock().instant();
            return Duration.between(now, status.nextAttemptAt().orElse(now));
        }
        long now = components.ticker().getAsLong();
        String version = resource.getMetadata().getResourceVersion();
        SeenClaim claim = seenClaims.merge(
                uidOf(resource),
                new SeenClaim(version, now),
                (seen, next) -> seen.version().equals(version) ? seen : next);
        return lease.get().minusNanos(now - claim.since());
    }

    /** So that people see when it is sent; one that is due at once is claimed instead. */
    private boolean writePending(NotificationRequestResource resource, DeliveryStatus status) {
        return components
                .objects()
                .writer()
                .tryWrite(resource.withStatus(NotificationDocuments.toDocument(status)), Resource::updateStatus);
    }

    /** Returns empty if another writer has changed the notification. */
    private Optional<NotificationRequestResource> claim(NotificationRequestResource resource, Delivery delivery) {
        NotificationRequestStatus sending =
                NotificationDocuments.toDocument(delivery.status().sending());
        if (!components.objects().writer().tryWrite(resource.withStatus(sending), Resource::updateStatus)) {
            return Optional.empty();
        }
        var meta = resource.getMetadata();
        return components.objects().writer().cache().get(meta.getNamespace(), meta.getName(), meta.getUid());
    }

    private WorkResult send(NotificationRequestResource resource, Delivery delivery) {
        Map<String, DeliveryResult> results = new HashMap<>();
        for (String channel : delivery.status().openChannels(delivery.channels())) {
            if (!leading.getAsBoolean()) {
                // The new leader sends it when the claim has expired.
                return WorkResult.DONE;
            }
            DeliveryResult result = components.sender().send(channel, delivery.request());
            if (!result.sent() && Thread.currentThread().isInterrupted()) {
                // This process stops, and that is no fault of the receiver.
                return WorkResult.DONE;
            }
            results.put(channel, result);
            if (components.sender().channels().containsKey(channel)) {
                // Others are names that a user made up.
                components.listener().onAttempt(channel, result.sent());
            }
        }
        unrecorded.put(uidOf(resource), results);
        return record(resource, delivery.withStatusOf(resource), results);
    }

    /** Until this succeeds, the results stay in memory, so that nothing is sent again because of the API server. */
    private WorkResult record(
            NotificationRequestResource resource, Delivery delivery, Map<String, DeliveryResult> results) {
        DeliveryStatus next = delivery.status()
                .record(
                        NotificationDocuments.name(delivery.request()),
                        delivery.channels(),
                        delivery.retryPolicy(),
                        results,
                        components.clock().instant());
        NotificationRequestResource update = resource.withStatus(NotificationDocuments.toDocument(next));
        if (!components.objects().writer().tryWrite(update, Resource::updateStatus)) {
            return WorkResult.CONFLICT;
        }
        forget(resource);
        if (next.phase().isTerminal()) {
            components.listener().onFinished(next.phase());
            return WorkResult.DONE;
        }
        components.listener().onRetry();
        return WorkResult.after(untilDue(resource, next));
    }

    private WorkResult fail(NotificationRequestResource resource, String problem) {
        LOG.warn("Notification {} is invalid and fails: {}", NotificationObjects.key(resource), problem);
        NotificationRequestStatus before = resource.getStatus();
        NotificationRequestStatus failed = new NotificationRequestStatus(
                DeliveryPhase.Failed.name(),
                before == null ? List.of() : before.attempts(),
                null,
                components.clock().instant().toString(),
                problem,
                Map.of());
        try {
            if (!components.objects().writer().tryWrite(resource.withStatus(failed), Resource::updateStatus)) {
                return WorkResult.CONFLICT;
            }
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HTTP_UNPROCESSABLE) {
                throw refused;
            }
            LOG.warn(
                    "Notification {} is invalid and its status was refused: {}",
                    NotificationObjects.key(resource),
                    refused.getMessage());
            return WorkResult.DONE;
        }
        components.listener().onFinished(DeliveryPhase.Failed);
        return WorkResult.DONE;
    }
}
