package dev.escapement.api.notification;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the delivery of a notification is.
 *
 * @param phase {@code Pending}, {@code Sending}, {@code Sent}, {@code PartiallySent}, {@code Retrying} or
 *     {@code Failed}
 * @param attempts all attempts, oldest first
 * @param nextAttemptAt when the next attempt is made; computed once and stored; absent in a terminal phase
 * @param completedAt when a terminal phase was reached
 * @param message why it was not sent at all; absent if it could be tried
 */
public record NotificationRequestStatus(
        @Nullable String phase,
        List<DeliveryAttempt> attempts,
        @Nullable String nextAttemptAt,
        @Nullable String completedAt,
        @Nullable String message,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public NotificationRequestStatus {
        attempts = Copies.list(attempts);
    }

    /**
     * One attempt to send a notification to one channel.
     *
     * @param number from 1
     * @param at when its result was recorded
     * @param outcome {@code Sent} or {@code Failed}
     * @param error why it failed; absent after a success
     */
    public record DeliveryAttempt(
            @Nullable String channel,
            @Nullable Long number,
            @Nullable String at,
            @Nullable String outcome,
            @Nullable String error,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}
}
