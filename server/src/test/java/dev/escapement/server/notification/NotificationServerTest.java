package dev.escapement.server.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.notifications.config.NotificationSettings;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications of a real server with real receivers. */
class NotificationServerTest {

    private static Map<String, String> settings(Path folder, String yaml) throws IOException {
        Path file = folder.resolve("notifications.yaml");
        Files.writeString(file, yaml);
        return Map.of("notifications.file", file.toString(), "notifications.allow", "127.0.0.1");
    }

    private static String execution(String name, String workflow) {
        return execution(name, workflow, "node/a");
    }

    private static String execution(String name, String workflow, String target) {
        return """
            {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "%s"},
             "spec": {"workflowRef": {"workflowId": "%s"}, "targetResource": "%s"}}
            """.formatted(name, workflow, target);
    }

    @Test
    void receiverThatNeverAnswersDoesNotDelayTheOthers(@TempDir Path folder) throws IOException {
        try (RawReceiver hanging = new RawReceiver(number -> "");
                RawReceiver healthy = new RawReceiver(number -> RawReceiver.answer(200, ""))) {
            Map<String, String> settings = new HashMap<>(settings(folder, """
                    channels:
                      hanging: {type: webhook, url: "%s"}
                      healthy: {type: webhook, url: "%s"}
                    routes: [{match: {target: "node/h*"}, channels: [hanging]}]
                    default: [healthy]
                    """.formatted(hanging.url(), healthy.url())));
            settings.put("notifications.timeout", "5m");
            try (TestServer server = TestServer.start(folder, settings)) {
                for (int i = 0; i < 10; i++) {
                    server.post("/api/v1/executions", execution("h" + i, "fails", "node/h" + i));
                }
                ConditionPoller.await(
                        "all of them have failed",
                        () -> server.get("/api/v1/notifications?severity=critical")
                                        .body()
                                        .at("/items")
                                        .size()
                                == 10);
                server.post("/api/v1/executions", execution("one", "fails"));
                ConditionPoller.await(
                        "the healthy receiver has its notification",
                        () -> healthy.requests().size() == 1);
                assertThat(hanging.requests()).hasSizeLessThanOrEqualTo(3);
                // Ends the deliveries in progress, for which the server would wait.
                hanging.disconnect();
            }
        }
    }

    @Test
    void failureIsSentAgainAfterTheReceiverRecovers(@TempDir Path folder) throws IOException {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(number == 1 ? 503 : 200, ""))) {
            String yaml = """
                    channels:
                      hook: {type: webhook, url: "%s"}
                      copy: {type: file, path: notified.jsonl}
                    default: [hook, copy]
                    retryPolicy: {maxAttempts: 5, initialBackoffSeconds: 1, maxBackoffSeconds: 2}
                    """.formatted(receiver.url());
            try (TestServer server = TestServer.start(folder, settings(folder, yaml))) {
                server.post("/api/v1/executions", execution("one", "fails"));
                ConditionPoller.await(
                        "the notification is sent",
                        () -> server.get("/api/v1/notifications?phase=Sent&severity=critical&target=node/a")
                                        .body()
                                        .at("/items")
                                        .size()
                                == 1);
                assertThat(receiver.requests()).hasSize(2);
                assertThat(Files.readAllLines(folder.resolve("notified.jsonl"))).hasSize(1);
                String name = server.get("/api/v1/notifications").text("/items/0/metadata/name");
                var found = server.get("/api/v1/notifications/" + name);
                assertThat(found.text("/spec/subject")).startsWith("Failed on node/a: ");
                assertThat(found.body().at("/status/attempts")).hasSize(3);
                assertThat(server.get("/metrics").raw().body())
                        .contains("escapement_notification_attempts_total{channel=\"hook\",outcome=\"Failed\"} 1.0")
                        .contains("escapement_notifications_retries_total 1.0")
                        .contains("escapement_notifications_finished_total{phase=\"Sent\"} 1.0");
            }
        }
    }

    @Test
    void changedFileTakesEffectAndAnInvalidOneDoesNot(@TempDir Path folder) throws IOException {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(200, ""))) {
            Path file = folder.resolve("notifications.yaml");
            // Not the line of its help, which begins with a number too.
            String valid = "\nescapement_notifications_file_valid ";
            try (TestServer server = TestServer.start(folder, settings(folder, "default: [log]"))) {
                Files.writeString(
                        file,
                        "channels: {hook: {type: webhook, url: \"%s\"}}\ndefault: [nowhere]".formatted(receiver.url()));
                ConditionPoller.await(
                        "the invalid file is noticed",
                        () -> server.get("/metrics").raw().body().contains(valid + "0"));
                assertThat(server.post("/api/v1/notifications/test", "{\"channel\": \"hook\"}")
                                .status())
                        .isEqualTo(404);
                Files.writeString(
                        file,
                        "channels: {hook: {type: webhook, url: \"%s\"}}\ndefault: [hook]".formatted(receiver.url()));
                ConditionPoller.await(
                        "the valid file is in use",
                        () -> server.get("/metrics").raw().body().contains(valid + "1"));
                server.post("/api/v1/executions", execution("one", "fails"));
                ConditionPoller.await(
                        "the new channel has the notification",
                        () -> receiver.requests().size() == 1);
            }
        }
    }

    @Test
    void testOfChannelReportsWhatCameBack(@TempDir Path folder) throws IOException {
        try (RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(500, ""))) {
            String yaml = "channels: {hook: {type: webhook, url: \"%s\"}}".formatted(receiver.url());
            try (TestServer server = TestServer.start(folder, settings(folder, yaml))) {
                var log = server.post("/api/v1/notifications/test", "{\"channel\": \"log\"}");
                assertThat(log.body().path("sent").asBoolean()).isTrue();
                var hook = server.post("/api/v1/notifications/test", "{\"channel\": \"hook\"}");
                assertThat(hook.body().path("sent").asBoolean()).isFalse();
                assertThat(hook.text("/detail")).contains("500");
                var unknown = server.post("/api/v1/notifications/test", "{\"channel\": \"none\"}");
                assertThat(unknown.status()).isEqualTo(404);
                assertThat(unknown.message()).contains("the channels are hook, log");
                assertThat(server.get("/api/v1/notifications?phase=Gone").status())
                        .isEqualTo(400);
                assertThat(server.get("/api/v1/notifications/nr-0").status()).isEqualTo(404);
            }
        }
    }

    @Test
    void invalidFileIsRefusedWithTheSettingAndTheRule(@TempDir Path folder) {
        Map.of(
                        "channels: {a: {type: fax}}",
                        "channels.a.type must be one of log, file, webhook, slack, pagerduty, email",
                        "channels: {a: {type: webhook, url: 'ftp://x'}}",
                        "channels.a: url: scheme 'ftp' is not supported",
                        "channels: {a: {type: slack, urlFile: missing}}",
                        "channels.a.urlFile names the file",
                        "routes: [{channels: [nowhere]}]",
                        "routes[0].channels names the channel nowhere, which is not configured",
                        "quietTimes: [{from: '25:00', to: '07:00'}]",
                        "quietTimes[0].from is \"25:00\": it must be a time such as 22:00",
                        "folding: {window: 0s}",
                        "the window of a summary is PT0S",
                        "retryPolicy: {maxAttempts: 0}",
                        "retryPolicy.maxAttempts is 0",
                        "colour: red",
                        "colour is not a setting: valid keys are channels")
                .forEach((yaml, message) -> assertThatThrownBy(
                                () -> TestServer.settings(folder, settings(folder, yaml)))
                        .hasMessageContaining("notifications.file")
                        .hasMessageContaining(message));
    }

    @Test
    void exampleOfTheGuideIsValid(@TempDir Path folder) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "notifications.md"));
        int start = page.indexOf("```yaml\n") + "```yaml\n".length();
        Path file = Files.writeString(
                folder.resolve("notifications.yaml"), page.substring(start, page.indexOf("```", start)));
        Files.writeString(folder.resolve("slack-url"), "https://hooks.example/services/x");
        Files.writeString(folder.resolve("pagerduty-key"), "routing-1");
        Files.writeString(folder.resolve("key-new"), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX");
        Files.writeString(folder.resolve("key-old"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        Files.writeString(folder.resolve("smtp-password"), "s3cr3t");
        NotificationSettings settings = NotificationsFile.read(file);
        assertThat(settings.channels()).containsOnlyKeys("log", "chat", "page", "hook", "mail", "copy");
        assertThat(settings.routing().routes()).hasSize(3);
        assertThat(settings.quietTimes().windows()).hasSize(2);
        assertThat(settings.folding()).isEqualTo(FoldingPolicy.DEFAULT);
        assertThat(settings.retryPolicy()).isEqualTo(DeliveryRetryPolicy.DEFAULT);
    }

    @Test
    void secretsAreNotShown(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("url"), "https://hooks.example/s3cr3t\n");
        var settings = TestServer.settings(folder, settings(folder, "channels: {chat: {type: slack, urlFile: url}}"));
        assertThat(List.of(settings.rows().toString(), settings.toString())).noneMatch(text -> text.contains("s3cr3t"));
    }
}
