package dev.escapement.server.operator.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.notification.NotificationRequestStatus;
import dev.escapement.api.notification.NotificationRequestStatus.DeliveryAttempt;
import dev.escapement.common.Json;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.server.notification.RawReceiver;
import dev.escapement.server.operator.notification.NotificationTestBed.RunningNotifications;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Notifications as resources on a real API server, with a real receiver. */
@ExtendWith(ClusterExtension.class)
class ClusterNotificationsIT {

    private static final Duration LONG_LEASE = Duration.ofMinutes(5);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);
    private static final Pattern ID_HEADER = Pattern.compile("(?im)^idempotency-key: (\\S+)");

    private final TestCluster cluster;
    private final Path folder;
    private RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(200, ""));
    private NotificationTestBed bed;

    ClusterNotificationsIT(TestCluster cluster, @TempDir Path folder) throws IOException {
        this.cluster = cluster;
        this.folder = folder;
        this.bed = open(number -> RawReceiver.answer(200, ""));
    }

    /** @param answers of the receiver, by the number of the request */
    private NotificationTestBed open(IntFunction<String> answers) throws IOException {
        receiver.close();
        receiver = new RawReceiver(answers);
        return new NotificationTestBed(cluster, folder, """
                channels: {hook: {type: webhook, url: "%s"}}
                default: [hook]
                folding: {window: 10m, perTarget: 2, overall: 100}
                retryPolicy: {maxAttempts: 5, initialBackoffSeconds: 1, maxBackoffSeconds: 3}
                """.formatted(receiver.url()));
    }

    @AfterEach
    void close() {
        bed.close();
        receiver.close();
    }

    private List<String> receivedIds() {
        return receiver.requests().stream()
                .map(ID_HEADER::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .toList();
    }

    private static NotificationRequestStatus statusOf(NotificationRequestResource resource) {
        return Objects.requireNonNull(resource.getStatus());
    }

    @Test
    void retriesByTheStoredTimeUntilReceiverAccepts() throws IOException {
        bed = open(number -> switch (number) {
            case 1 -> RawReceiver.answer(500, "");
            case 2 -> RawReceiver.answer(429, "Retry-After: 2\r\n");
            default -> RawReceiver.answer(200, "");
        });
        try (RunningNotifications leader = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            bed.skipExecution("one", "node/retry");
            NotificationRequestResource retrying = bed.awaitNotifications(
                            "it is retried",
                            all -> all.size() == 1
                                    && all.get(0).phase().orElse("").equals("Retrying"))
                    .get(0);
            Instant next =
                    Instant.parse(Objects.requireNonNull(statusOf(retrying).nextAttemptAt()));
            NotificationRequestResource sent = bed.awaitNotifications("it is sent", NotificationTestBed::allFinal)
                    .get(0);
            assertThat(sent.phase()).contains("Sent");
            List<DeliveryAttempt> attempts = statusOf(sent).attempts();
            assertThat(attempts).extracting(DeliveryAttempt::outcome).containsExactly("Failed", "Failed", "Sent");
            assertThat(attempts.get(0).error()).contains("500");
            assertThat(Instant.parse(Objects.requireNonNull(attempts.get(1).at())))
                    .isAfterOrEqualTo(next);
            assertThat(Duration.between(
                            Instant.parse(Objects.requireNonNull(attempts.get(1).at())),
                            Instant.parse(Objects.requireNonNull(attempts.get(2).at()))))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
            assertThat(receivedIds())
                    .containsExactly(
                            sent.getMetadata().getName(),
                            sent.getMetadata().getName(),
                            sent.getMetadata().getName());
            assertThat(leader.service().isAlive()).isTrue();
        }
    }

    /** Both find the same transitions, in the stored state and in the changes. */
    @Test
    void twoLeadersAndReplayCreateOneNotificationAndSendItOnce() {
        try (RunningNotifications first = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            try (RunningNotifications second = bed.startLeader(LONG_LEASE)) {
                bed.skipExecution("one", "node/twice");
                bed.awaitNotifications("it is sent", NotificationTestBed::allFinal);
                assertThat(List.of(first, second))
                        .allMatch(leader -> leader.service().isAlive());
            }
        }
        try (RunningNotifications again = bed.startLeader(SHORT_LEASE)) {
            bed.skipExecution("two", "node/twice");
            List<NotificationRequestResource> all = bed.awaitNotifications(
                    "the next one is sent", found -> found.size() >= 2 && NotificationTestBed.allFinal(found));
            assertThat(all).hasSize(2).allMatch(each -> each.phase().orElse("").equals("Sent"));
            assertThat(receivedIds())
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .map(each -> each.getMetadata().getName())
                            .toList());
            assertThat(again.service().isAlive()).isTrue();
        }
    }

    /** The execution ends while no leader creates notifications: as if it had crashed after the status. */
    @Test
    void createsWhatACrashedLeaderDidNot() {
        try (RunningNotifications crashed = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            assertThat(crashed.service().isAlive()).isTrue();
        }
        bed.skipExecution("missed", "node/missed");
        assertThat(bed.notifications()).isEmpty();
        try (RunningNotifications next = bed.startLeader(LONG_LEASE)) {
            List<NotificationRequestResource> all = bed.awaitNotifications("it is sent", NotificationTestBed::allFinal);
            assertThat(all).hasSize(1);
            assertThat(next.service().isAlive()).isTrue();
        }
    }

    @Test
    void repeatsUnderTheSameIdAfterACrashBeforeTheResultWasRecorded() throws IOException {
        bed = open(number -> number == 1 ? "" : RawReceiver.answer(200, ""));
        try (RunningNotifications crashed = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            bed.skipExecution("one", "node/crash");
            ConditionPoller.await("it is being sent", () -> receivedIds().size() == 1);
            assertThat(crashed.service().isAlive()).isTrue();
        }
        NotificationRequestResource left = bed.notifications().get(0);
        assertThat(left.phase()).contains("Sending");
        assertThat(statusOf(left).attempts()).isEmpty();
        try (RunningNotifications next = bed.startLeader(SHORT_LEASE)) {
            NotificationRequestResource sent = bed.awaitNotifications("it is sent", NotificationTestBed::allFinal)
                    .get(0);
            assertThat(sent.phase()).contains("Sent");
            assertThat(receivedIds())
                    .containsExactly(
                            sent.getMetadata().getName(), sent.getMetadata().getName());
            assertThat(next.service().isAlive()).isTrue();
        }
    }

    /** The leader is replaced in the middle of the storm, and the limits go on. */
    @Test
    void stormOnOneTargetMakesTwoNotificationsAndOneSummary() {
        try (RunningNotifications first = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            for (int i = 0; i < 15; i++) {
                bed.skipExecution("storm-" + i, "node/storm");
            }
            bed.awaitNotifications("the summary exists", all -> all.size() == 3);
            assertThat(first.service().isAlive()).isTrue();
        }
        for (int i = 15; i < 30; i++) {
            bed.skipExecution("storm-" + i, "node/storm");
        }
        try (RunningNotifications second = bed.startLeader(LONG_LEASE)) {
            List<NotificationRequestResource> all =
                    bed.awaitNotifications("every skip is counted", found -> countOf(found) == 28 && isPending(found));
            assertThat(all).hasSize(3);
            assertThat(FoldAnnotations.readCounted(findSummary(all).orElseThrow()))
                    .hasSize(28);
            assertThat(receivedIds()).hasSize(2).doesNotHaveDuplicates();
            assertThat(second.service().isAlive()).isTrue();
        }
    }

    /** What does not fit is found again in the stored state. */
    @Test
    void createsAllOfMoreThanAreKeptInMemory() {
        try (RunningNotifications first = bed.startLeader(LONG_LEASE)) {
            bed.awaitPosition();
            assertThat(first.service().isAlive()).isTrue();
        }
        for (int i = 0; i < 12; i++) {
            bed.skipExecution("many-" + i, "node/many-" + i);
        }
        try (RunningNotifications second = bed.startLeader(LONG_LEASE, 2)) {
            assertThat(bed.awaitNotifications(
                            "all are sent", all -> all.size() == 12 && NotificationTestBed.allFinal(all)))
                    .hasSize(12);
            assertThat(receivedIds()).hasSize(12).doesNotHaveDuplicates();
            assertThat(second.service().isAlive()).isTrue();
        }
    }

    private static Optional<NotificationRequestResource> findSummary(List<NotificationRequestResource> all) {
        return all.stream()
                .filter(each -> "NotificationSummary".equals(each.getSpec().eventType()))
                .findFirst();
    }

    private static long countOf(List<NotificationRequestResource> all) {
        return findSummary(all)
                .map(summary ->
                        Objects.requireNonNull(summary.getSpec().context()).count())
                .orElse(0L);
    }

    /** Whether it shows when the summary is sent. */
    private static boolean isPending(List<NotificationRequestResource> all) {
        return findSummary(all)
                .filter(summary -> summary.phase().orElse("").equals("Pending")
                        && statusOf(summary).nextAttemptAt() != null)
                .isPresent();
    }

    @Test
    void sendsWhatPersonsCreateAndFailsWhatCannotBeSent() {
        Map<String, Object> valid = Map.of(
                "eventType",
                "Maintenance",
                "severity",
                "info",
                "subject",
                "Window\u0007 begins",
                "message",
                "What: x",
                "context",
                Map.of("targetResource", "node/of-a-person", "link", "https://elsewhere.example/"),
                "channels",
                List.of("hook"));
        bed.createByHand("valid", valid);
        bed.createByHand("unknown", with(valid, "channels", List.of("nowhere")));
        bed.createByHand("nowhere", with(valid, "channels", List.of()));
        bed.createByHand(
                "contradiction",
                with(
                        valid,
                        "retryPolicy",
                        Map.of(
                                "maxAttempts", 3,
                                "initialBackoffSeconds", 60,
                                "backoffMultiplier", 2,
                                "maxBackoffSeconds", 1)));
        try (RunningNotifications leader = bed.startLeader(LONG_LEASE)) {
            List<NotificationRequestResource> finished =
                    bed.awaitNotifications("all are finished", NotificationTestBed::allFinal);
            NotificationRequestResource sent = findByName(finished, "valid");
            assertThat(sent.phase()).contains("Sent");
            assertThat(receivedIds()).containsExactly("nr-" + sent.getMetadata().getUid());
            assertThat(receiver.requests().get(0))
                    .contains("\"context\":{\"targetResource\":\"node/of-a-person\"}")
                    .doesNotContain("\\u0007");
            assertFailed(
                    findByName(finished, "unknown"),
                    "names no channel that is configured: nowhere; configured are hook");
            assertFailed(findByName(finished, "nowhere"), "spec.channels is empty");
            assertFailed(findByName(finished, "contradiction"), "PT1S");
            // The watch goes on.
            Instant notBefore = Instant.now().plusSeconds(3);
            bed.createByHand("later", with(valid, "notBefore", notBefore.toString()));
            NotificationRequestResource later = findByName(
                    bed.awaitNotifications(
                            "the next one is sent", all -> all.size() == 5 && NotificationTestBed.allFinal(all)),
                    "later");
            assertThat(Instant.parse(Objects.requireNonNull(statusOf(later).completedAt())))
                    .isAfterOrEqualTo(notBefore);
            assertThat(leader.service().isAlive()).isTrue();
        }
    }

    private static NotificationRequestResource findByName(List<NotificationRequestResource> all, String name) {
        return all.stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> with(Map<String, Object> spec, String key, Object value) {
        Map<String, Object> changed = new HashMap<>(spec);
        changed.put(key, value);
        return changed;
    }

    private static void assertFailed(NotificationRequestResource resource, String message) {
        assertThat(resource.phase()).contains("Failed");
        assertThat(statusOf(resource).message()).contains(message);
        assertThat(statusOf(resource).attempts()).isEmpty();
        assertThat(Json.write(statusOf(resource))).contains("completedAt");
    }
}
