package dev.escapement.notifications.delivery;

import java.time.Duration;
import java.util.Map;

/**
 * What notifications are sent with.
 *
 * @param channels by name
 * @param lease longer than all channels together take to send one notification
 */
public record DeliverySetup(Map<String, NotificationChannel> channels, Duration lease) {

    public DeliverySetup {
        channels = Map.copyOf(channels);
    }
}
