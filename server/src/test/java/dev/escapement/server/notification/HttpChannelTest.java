package dev.escapement.server.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.Json;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.http.WebhookSigner;
import dev.escapement.notifications.channel.HttpChannel;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The HTTP channels with receivers that fail, delay, throttle and break off. */
class HttpChannelTest {

    private static final Instant NOW = Instant.parse("2026-11-17T08:00:00Z");
    private static final String OLD_KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW_KEY = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

    private final HttpCallDispatcher dispatcher = open("127.0.0.1");
    private final GuardedHttpPoster poster = new GuardedHttpPoster(dispatcher, Duration.ofSeconds(20));

    private static HttpCallDispatcher open(String allowed) {
        return HttpCallDispatcher.open(
                DispatchLimits.defaults("test"),
                AllowList.parse(allowed),
                DnsResolver.system(),
                InstantSource.fixed(NOW));
    }

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private static NotificationRequest notification(String eventType, String severity) {
        NotificationContext context = new NotificationContext(
                "restart",
                "node/a",
                null,
                "OOMKilled",
                null,
                null,
                "ops/fix-1",
                null,
                null,
                null,
                null,
                null,
                null,
                "https://page.example/",
                Map.of());
        NotificationRequestSpec spec = new NotificationRequestSpec(
                eventType,
                severity,
                "Failed on node/a <b>",
                "What: x\nTo do: y & z",
                context,
                List.of("hook"),
                null,
                null,
                Map.of());
        ObjectMetadata metadata = new ObjectMetadata(
                "nr-0123",
                null,
                null,
                null,
                NOW.toString(),
                null,
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        return NotificationRequest.of(metadata, spec, null);
    }

    private static DeliveryResult send(NotificationChannel channel) {
        return channel.send(notification("WorkflowFailed", "critical"));
    }

    private NotificationChannel webhook(RawReceiver receiver) {
        return HttpChannel.webhook(poster, SecretText.of(receiver.url()), Optional.empty());
    }

    private static JsonNode body(String request) {
        return Json.mapper().valueToTree(Json.read(request.substring(request.indexOf("\r\n\r\n") + 4), Map.class));
    }

    @Test
    void webhookIsSignedWithEveryKey() {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(204, ""))) {
            NotificationChannel channel = HttpChannel.webhook(
                    poster, SecretText.of(receiver.url()), Optional.of(SecretText.of(NEW_KEY + "\n" + OLD_KEY)));
            assertThat(send(channel).sent()).isTrue();
            String request = receiver.requests().get(0);
            String sentBody = request.substring(request.indexOf("\r\n\r\n") + 4);
            for (String key : List.of(NEW_KEY, OLD_KEY)) {
                String signature = WebhookSigner.withKey(SecretText.of(key))
                        .sign("nr-0123", NOW, sentBody)
                        .get("webhook-signature");
                assertThat(request).contains("webhook-id: nr-0123").contains(signature);
            }
            assertThat(body(request).at("/type").asText()).isEqualTo("WorkflowFailed");
            assertThat(body(request).at("/data/context/targetResource").asText())
                    .isEqualTo("node/a");
        }
    }

    @Test
    void errorStatusIsAFailure() {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(503, ""))) {
            DeliveryResult result = send(webhook(receiver));
            assertThat(result.sent()).isFalse();
            assertThat(result.detail()).contains("503").doesNotContain("s3cr3t");
        }
    }

    @Test
    void throttlingReceiverIsAnsweredWithItsDelay() {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(429, "Retry-After: 120\r\n"))) {
            DeliveryResult result = send(webhook(receiver));
            assertThat(result.sent()).isFalse();
            assertThat(result.retryAfter()).contains(Duration.ofMinutes(2));
        }
    }

    @Test
    void answerThatBreaksOffIsAFailure() {
        try (RawReceiver receiver =
                new RawReceiver(number -> "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly the beginning")) {
            assertThat(send(webhook(receiver)).sent()).isFalse();
        }
    }

    @Test
    void receiverThatDoesNotAnswerIsAFailureAfterTheTimeout() {
        try (RawReceiver receiver = new RawReceiver(number -> "")) {
            NotificationChannel channel = HttpChannel.webhook(
                    new GuardedHttpPoster(dispatcher, Duration.ofMillis(300)),
                    SecretText.of(receiver.url()),
                    Optional.empty());
            assertThat(send(channel).detail()).contains("300 ms");
        }
    }

    @Test
    void redirectIsNotFollowed() {
        try (RawReceiver elsewhere = new RawReceiver(number -> RawReceiver.answer(200, ""));
                RawReceiver receiver =
                        new RawReceiver(number -> RawReceiver.answer(302, "Location: " + elsewhere.url() + "\r\n"))) {
            assertThat(send(webhook(receiver)).sent()).isFalse();
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void internalAddressIsDeniedWithoutAnEntry() {
        try (HttpCallDispatcher guarded = open("");
                RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(200, ""))) {
            DeliveryResult result = send(HttpChannel.webhook(
                    new GuardedHttpPoster(guarded, Duration.ofSeconds(20)),
                    SecretText.of(receiver.url()),
                    Optional.empty()));
            assertThat(result.sent()).isFalse();
            assertThat(result.detail()).contains("127.0.0.1").doesNotContain("s3cr3t");
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void slackReceivesEscapedText() {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(200, ""))) {
            assertThat(send(HttpChannel.slack(poster, SecretText.of(receiver.url())))
                            .sent())
                    .isTrue();
            assertThat(body(receiver.requests().get(0)).at("/text").asText())
                    .isEqualTo("*CRITICAL: Failed on node/a &lt;b&gt;*\nWhat: x\nTo do: y &amp; z");
        }
    }

    @Test
    void clearanceResolvesTheIncidentOfItsTarget() {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(202, ""))) {
            NotificationChannel channel =
                    HttpChannel.pagerDuty(poster, SecretText.of(receiver.url()), SecretText.of("routing-1"));
            channel.send(notification("WorkflowFailed", "critical"));
            channel.send(notification("BlockCleared", "info"));
            channel.send(notification("WorkflowSkipped", "info"));
            channel.send(notification("MaintenanceOfAPerson", "critical"));
            JsonNode failure = body(receiver.requests().get(0));
            JsonNode clearance = body(receiver.requests().get(1));
            JsonNode skip = body(receiver.requests().get(2));
            assertThat(failure.at("/routing_key").asText()).isEqualTo("routing-1");
            assertThat(failure.at("/event_action").asText()).isEqualTo("trigger");
            assertThat(failure.at("/payload/severity").asText()).isEqualTo("critical");
            assertThat(failure.at("/client_url").asText()).isEqualTo("https://page.example/");
            assertThat(clearance.at("/event_action").asText()).isEqualTo("resolve");
            assertThat(clearance.at("/dedup_key")).isEqualTo(failure.at("/dedup_key"));
            assertThat(skip.at("/dedup_key").asText()).isEqualTo("nr-0123");
            assertThat(body(receiver.requests().get(3)).at("/dedup_key").asText())
                    .as("what users create is no incident of a target")
                    .isEqualTo("nr-0123");
        }
    }
}
