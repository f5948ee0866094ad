package dev.escapement.notifications.delivery;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.RetryPolicy;
import dev.escapement.api.notification.NotificationRequestStatus;
import dev.escapement.api.notification.NotificationRequestStatus.DeliveryAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the delivery of a notification to and from its document. */
public final class NotificationDocuments {

    private static final Set<String> RESERVED_TYPES =
            Set.of("WorkflowSkipped", "WorkflowFailed", "BlockCleared", "NotificationSummary");

    private static final String SENT = "Sent";
    private static final String FAILED = "Failed";

    private NotificationDocuments() {}

    public static String name(NotificationRequest request) {
        return requireNonNull(
                requireNonNull(request.metadata(), "metadata is null").name(), "name is null");
    }

    public static NotificationRequestSpec spec(NotificationRequest request) {
        return requireNonNull(request.spec(), "spec is null");
    }

    /**
     * Returns whether only Escapement creates notifications of a type: a clearance resolves incidents, others open
     * them.
     */
    public static boolean isReserved(@Nullable String eventType) {
        return eventType != null && RESERVED_TYPES.contains(eventType);
    }

    public static RetryPolicy toDocument(DeliveryRetryPolicy policy) {
        return new RetryPolicy(
                (long) policy.maxAttempts(),
                policy.initialBackoff().toSeconds(),
                policy.multiplier(),
                policy.maxBackoff().toSeconds(),
                Map.of());
    }

    /** Returns the retry policy of a document; the default for what is absent. */
    public static DeliveryRetryPolicy retryPolicy(NotificationRequest request) {
        RetryPolicy policy = spec(request).retryPolicy();
        DeliveryRetryPolicy defaults = DeliveryRetryPolicy.DEFAULT;
        return policy == null
                ? defaults
                : new DeliveryRetryPolicy(
                        Math.toIntExact(requireNonNullElse(policy.maxAttempts(), (long) defaults.maxAttempts())),
                        seconds(policy.initialBackoffSeconds(), defaults.initialBackoff()),
                        requireNonNullElse(policy.backoffMultiplier(), defaults.multiplier()),
                        seconds(policy.maxBackoffSeconds(), defaults.maxBackoff()));
    }

    private static Duration seconds(@Nullable Long seconds, Duration absent) {
        return seconds == null ? absent : Duration.ofSeconds(seconds);
    }

    public static NotificationRequestStatus toDocument(DeliveryStatus status) {
        return new NotificationRequestStatus(
                status.phase().name(),
                status.attempts().stream()
                        .map(NotificationDocuments::toDocument)
                        .toList(),
                status.nextAttemptAt().map(Instant::toString).orElse(null),
                status.completedAt().map(Instant::toString).orElse(null),
                null,
                Map.of());
    }

    private static DeliveryAttempt toDocument(DeliveryStatus.Attempt attempt) {
        return new DeliveryAttempt(
                attempt.channel(),
                (long) attempt.number(),
                attempt.at().toString(),
                attempt.sent() ? SENT : FAILED,
                attempt.sent() ? null : attempt.error(),
                Map.of());
    }

    /**
     * Returns the delivery of a document; a document without one has not been sent and is due at its creation, or when
     * its spec says.
     */
    public static DeliveryStatus status(NotificationRequest request) {
        NotificationRequestStatus status = request.status();
        if (status == null || status.phase() == null) {
            String created =
                    requireNonNull(request.metadata(), "metadata is null").creationTimestamp();
            Instant createdAt = created == null ? Instant.EPOCH : Instant.parse(created);
            String notBefore = request.spec() == null ? null : request.spec().notBefore();
            return DeliveryStatus.pending(notBefore == null ? createdAt : Instant.parse(notBefore));
        }
        return new DeliveryStatus(
                DeliveryPhase.valueOf(status.phase()),
                status.attempts().stream().map(NotificationDocuments::attempt).toList(),
                Optional.ofNullable(status.nextAttemptAt()).map(Instant::parse),
                Optional.ofNullable(status.completedAt()).map(Instant::parse));
    }

    private static DeliveryStatus.Attempt attempt(DeliveryAttempt attempt) {
        return new DeliveryStatus.Attempt(
                requireNonNull(attempt.channel(), "channel is null"),
                Math.toIntExact(requireNonNull(attempt.number(), "number is null")),
                Instant.parse(requireNonNull(attempt.at(), "at is null")),
                SENT.equals(attempt.outcome()),
                requireNonNullElse(attempt.error(), ""));
    }

    public static NotificationRequest withStatus(NotificationRequest request, DeliveryStatus status) {
        return new NotificationRequest(
                request.apiVersion(),
                request.kind(),
                request.metadata(),
                request.spec(),
                toDocument(status),
                request.other());
    }
}
