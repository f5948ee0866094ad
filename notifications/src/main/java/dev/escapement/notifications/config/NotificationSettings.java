package dev.escapement.notifications.config;

import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.RoutingRules;
import java.util.Map;

/**
 * How notifications are created and sent.
 *
 * @param channels by name
 */
public record NotificationSettings(
        Map<String, ChannelSettings> channels,
        RoutingRules routing,
        QuietTimes quietTimes,
        FoldingPolicy folding,
        DeliveryRetryPolicy retryPolicy) {

    /** The channel that exists without a file. */
    public static final String LOG_CHANNEL = "log";

    /** Without a file: everything goes to the log of the server. */
    public static final NotificationSettings DEFAULT = new NotificationSettings(
            Map.of(LOG_CHANNEL, new ChannelSettings.Log()),
            RoutingRules.sendAllTo(LOG_CHANNEL),
            QuietTimes.NONE,
            FoldingPolicy.DEFAULT,
            DeliveryRetryPolicy.DEFAULT);

    public NotificationSettings {
        channels = Map.copyOf(channels);
    }

    /**
     * Returns the planner of these settings.
     *
     * @param pageUrl the address of the dashboard; empty for no link
     */
    public NotificationPlanner planner(String pageUrl) {
        return new NotificationPlanner(routing, quietTimes, folding, retryPolicy, pageUrl);
    }
}
