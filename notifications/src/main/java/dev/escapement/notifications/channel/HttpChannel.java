package dev.escapement.notifications.channel;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.notifications.channel.HttpPoster.HttpPost;
import dev.escapement.notifications.channel.HttpPoster.HttpReply;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.storage.SecretText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Sends notifications as JSON over HTTP. The id of the request is the name of the notification, so that a receiver can
 * drop a repeated one.
 */
public final class HttpChannel implements NotificationChannel {

    private static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json");

    private final HttpPoster poster;
    private final SecretText url;
    private final Optional<SecretText> signingKeys;
    private final Function<NotificationRequest, String> payload;

    private HttpChannel(
            HttpPoster poster,
            SecretText url,
            Optional<SecretText> signingKeys,
            Function<NotificationRequest, String> payload) {
        this.poster = poster;
        this.url = url;
        this.signingKeys = signingKeys;
        this.payload = payload;
    }

    /**
     * Returns a channel that sends an envelope of type, time and data.
     *
     * @param signingKeys separated by white space; several while the receiver changes from one to another
     */
    public static HttpChannel webhook(HttpPoster poster, SecretText url, Optional<SecretText> signingKeys) {
        return new HttpChannel(poster, url, signingKeys, ChannelPayloads::webhook);
    }

    /**
     * Returns a channel that sends a text to a chat.
     *
     * @param url an incoming webhook of Slack, or of a chat that accepts the same body
     */
    public static HttpChannel slack(HttpPoster poster, SecretText url) {
        return new HttpChannel(poster, url, Optional.empty(), ChannelPayloads::slack);
    }

    /** Returns a channel that sends events of PagerDuty's Events API v2. */
    public static HttpChannel pagerDuty(HttpPoster poster, SecretText url, SecretText routingKey) {
        return new HttpChannel(
                poster, url, Optional.empty(), request -> ChannelPayloads.pagerDuty(request, routingKey.reveal()));
    }

    @Override
    public DeliveryResult send(NotificationRequest request) {
        HttpReply reply = poster.post(
                new HttpPost(url, HEADERS, payload.apply(request), NotificationDocuments.name(request), signingKeys));
        if (reply.error().isEmpty()) {
            return DeliveryResult.sent(
                    reply.status().map(status -> "status " + status).orElse("sent"));
        }
        return new DeliveryResult(false, reply.error(), reply.retryAfter());
    }
}
