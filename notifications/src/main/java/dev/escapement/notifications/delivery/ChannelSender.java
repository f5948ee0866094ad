package dev.escapement.notifications.delivery;

import dev.escapement.api.notification.NotificationRequest;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notifications to channels by name. Whatever goes wrong is a result: one channel must not keep the others.
 *
 * @param setup asked for each notification, so that a change takes effect with the next one
 */
public record ChannelSender(Supplier<DeliverySetup> setup) {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelSender.class);

    /** Returns the channels of this moment, by name. */
    public Map<String, NotificationChannel> channels() {
        return setup.get().channels();
    }

    /** Sends a notification to a channel and waits for the answer, for a bounded time. Logs a failure. */
    public DeliveryResult send(String name, NotificationRequest request) {
        DeliveryResult result = trySend(name, request);
        if (!result.sent()) {
            LOG.warn(
                    "Notification {} could not be sent to channel {}: {}",
                    NotificationDocuments.name(request),
                    name,
                    result.detail());
        }
        return result;
    }

    private DeliveryResult trySend(String name, NotificationRequest request) {
        NotificationChannel channel = channels().get(name);
        if (channel == null) {
            return DeliveryResult.failed("channel " + name + " is not configured");
        }
        try {
            return channel.send(request);
        } catch (RuntimeException bug) {
            LOG.error("Channel {} failed unexpectedly", name, bug);
            return DeliveryResult.failed(
                    "unexpected failure of the channel (" + bug.getClass().getSimpleName() + ")");
        }
    }
}
