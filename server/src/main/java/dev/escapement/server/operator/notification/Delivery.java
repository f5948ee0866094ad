package dev.escapement.server.operator.notification;

import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A notification that can be sent.
 *
 * @param request what the channels get
 * @param channels each once
 */
record Delivery(
        NotificationRequest request, List<String> channels, DeliveryRetryPolicy retryPolicy, DeliveryStatus status) {

    private static final int MAX_SUBJECT_LENGTH = 200;
    private static final int MAX_PROBLEM_LENGTH = 1_000;
    private static final int MAX_LISTED_CHANNELS = 20;

    /**
     * Checks and reads a notification.
     *
     * @param own whether the operator has created it: then its channels were known
     * @param configured the names of all channels
     * @throws IllegalArgumentException if it can never be sent
     */
    static Delivery of(NotificationRequestResource resource, boolean own, Set<String> configured) {
        NotificationRequestSpec spec = resource.getSpec();
        if (spec == null) {
            throw new IllegalArgumentException("spec is missing");
        }
        if (!own && NotificationDocuments.isReserved(spec.eventType())) {
            throw new IllegalArgumentException(
                    "spec.eventType is %s, which is reserved for the operator: choose another"
                            .formatted(spec.eventType()));
        }
        List<String> channels = spec.channels().stream().distinct().toList();
        if (channels.isEmpty()) {
            throw new IllegalArgumentException(
                    "spec.channels is empty: it must name at least one of " + list(configured));
        }
        if (!own && channels.size() > MAX_LISTED_CHANNELS) {
            throw new IllegalArgumentException(
                    "spec.channels names %d channels: the limit is %d".formatted(channels.size(), MAX_LISTED_CHANNELS));
        }
        // Later the channel may be missing because of a mistake in the file: then the attempt fails and is retried.
        if (!own && resource.phase().isEmpty() && channels.stream().noneMatch(configured::contains)) {
            throw new IllegalArgumentException(
                    "spec.channels names no channel that is configured: %s; configured are %s"
                            .formatted(list(channels), list(configured)));
        }
        try {
            NotificationRequest document = resource.toDocument();
            return new Delivery(
                    own ? document : sanitize(document, spec),
                    channels,
                    NotificationDocuments.retryPolicy(document),
                    NotificationDocuments.status(document));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException | NullPointerException invalid) {
            throw new IllegalArgumentException(
                    SafeText.sanitize(String.valueOf(invalid.getMessage()), MAX_PROBLEM_LENGTH), invalid);
        }
    }

    private static String list(Iterable<String> names) {
        TreeSet<String> sorted = new TreeSet<>();
        names.forEach(sorted::add);
        List<String> shown = sorted.stream().limit(MAX_LISTED_CHANNELS).toList();
        return SafeText.sanitize(
                String.join(", ", shown) + (shown.size() < sorted.size() ? ", …" : ""), MAX_PROBLEM_LENGTH);
    }

    /**
     * Removes what could mislead a reader, and replaces the name by one that is unique in the cluster and that every
     * receiver accepts: it is the id by which a repeated notification is recognised.
     */
    private static NotificationRequest sanitize(NotificationRequest document, NotificationRequestSpec spec) {
        ObjectMetadata given = requireNonNullElse(document.metadata(), ObjectMetadata.named("", ""));
        ObjectMetadata metadata = new ObjectMetadata(
                "nr-" + given.uid(),
                null,
                given.namespace(),
                given.uid(),
                given.creationTimestamp(),
                null,
                null,
                given.labels(),
                given.annotations(),
                List.of(),
                List.of(),
                given.other());
        NotificationRequestSpec safe = new NotificationRequestSpec(
                spec.eventType(),
                spec.severity(),
                SafeText.sanitize(requireNonNullElse(spec.subject(), ""), MAX_SUBJECT_LENGTH),
                SafeText.multiLine(requireNonNullElse(spec.message(), "")),
                Optional.ofNullable(spec.context()).map(Delivery::sanitize).orElse(null),
                spec.channels(),
                spec.notBefore(),
                spec.retryPolicy(),
                spec.other());
        return new NotificationRequest(
                document.apiVersion(), document.kind(), metadata, safe, document.status(), document.other());
    }

    /** Without the link: receivers show it as the page of Escapement. */
    private static NotificationContext sanitize(NotificationContext given) {
        Map<String, Object> values = new LinkedHashMap<>();
        Json.toMap(given)
                .forEach((key, value) -> values.put(
                        SafeText.sanitize(key, MAX_SUBJECT_LENGTH),
                        value instanceof String text ? SafeText.sanitize(text, MAX_PROBLEM_LENGTH) : value));
        values.remove("link");
        return Json.fromMap(values, NotificationContext.class);
    }

    /** Returns this delivery with the status that a later version of the resource has. */
    Delivery withStatusOf(NotificationRequestResource later) {
        return new Delivery(request, channels, retryPolicy, NotificationDocuments.status(later.toDocument()));
    }
}
