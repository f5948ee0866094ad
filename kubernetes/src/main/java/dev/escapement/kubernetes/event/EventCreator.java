package dev.escapement.kubernetes.event;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates Events in the API server, with retries. Thread-safe. */
final class EventCreator {

    private static final Logger LOG = LoggerFactory.getLogger(EventCreator.class);
    private static final int MAX_ATTEMPTS = 20;
    private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";
    private static final Backoff ATTEMPT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final KubernetesClient client;
    private final AtomicLong newestVersion = new AtomicLong();

    EventCreator(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Returns why the Event could not be created; empty if it exists, or if its namespace does not.
     *
     * @param closed whether to give up
     */
    Optional<Throwable> create(Event wanted, BooleanSupplier closed) {
        Event event = wanted;
        for (int attempt = 1; ; attempt++) {
            try {
                recordVersion(client.resource(event).create());
                return Optional.empty();
            } catch (KubernetesClientException failure) {
                if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT && isForeign(event)) {
                    event = rename(event);
                } else if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT || isNamespaceGone(failure)) {
                    return Optional.empty();
                } else if (closed.getAsBoolean()
                        || !HttpStatusClassifier.isTransient(failure.getCode())
                        || attempt == MAX_ATTEMPTS) {
                    return Optional.of(failure);
                }
                LOG.debug("Creating an Event failed, will retry: {}", failure.getMessage());
                LockSupport.parkNanos(ATTEMPT_BACKOFF.delayNanos(attempt));
            }
        }
    }

    /** Whether the name is taken by an Event with another transition, such as one that somebody made up. */
    private boolean isForeign(Event event) {
        String name = event.getMetadata().getName();
        try {
            var existing = client.v1()
                    .events()
                    .inNamespace(event.getMetadata().getNamespace())
                    .withField("metadata.name", name)
                    .list()
                    .getItems();
            if (existing.stream().allMatch(other -> EventMapper.isSame(other, event))) {
                return false;
            }
        } catch (KubernetesClientException unreadable) {
            // Nearly every conflict is with an Event that another replica has created.
            return false;
        }
        LOG.warn("Event {} was not created by Escapement; its transition gets another name", name);
        return true;
    }

    private static Event rename(Event event) {
        String suffix = Integer.toUnsignedString(ThreadLocalRandom.current().nextInt(), Character.MAX_RADIX);
        return new EventBuilder(event)
                .editMetadata()
                .withName(event.getMetadata().getName() + "-" + suffix)
                .endMetadata()
                .build();
    }

    private void recordVersion(Event event) {
        // The journal ignores Events without a transition, so nobody may wait until it has them.
        if (EventMapper.hasTransition(event)) {
            newestVersion.accumulateAndGet(ResourceCache.versionOf(event), Math::max);
        }
    }

    /** Returns the version of the newest Event with a transition. */
    long newestVersion() {
        return newestVersion.get();
    }

    /** Whether the namespace is deleted or being deleted: an Event there would have no reader. */
    private static boolean isNamespaceGone(KubernetesClientException failure) {
        return failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                || Optional.ofNullable(failure.getStatus())
                        .map(Status::getDetails)
                        .map(StatusDetails::getCauses)
                        .filter(causes ->
                                causes.stream().anyMatch(cause -> NAMESPACE_TERMINATING.equals(cause.getReason())))
                        .isPresent();
    }
}
