package dev.escapement.notifications.delivery;

import dev.escapement.common.SafeText;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of one attempt to send a notification to a channel.
 *
 * @param detail what the receiver answered, or why it failed; one line without secrets
 * @param retryAfter the delay that the receiver requests
 */
public record DeliveryResult(boolean sent, String detail, Optional<Duration> retryAfter) {

    private static final int MAX_DETAIL_LENGTH = 500;

    public DeliveryResult {
        detail = SafeText.sanitize(detail, MAX_DETAIL_LENGTH);
    }

    public static DeliveryResult sent(String detail) {
        return new DeliveryResult(true, detail, Optional.empty());
    }

    public static DeliveryResult failed(String error) {
        return new DeliveryResult(false, error, Optional.empty());
    }
}
