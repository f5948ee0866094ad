package dev.escapement.notifications.worker;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.delivery.DeliverySetup;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.message.NotableTransitions;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.RoutingRules;
import dev.escapement.notifications.store.NotificationDatabase;
import dev.escapement.notifications.store.NotificationOutbox;
import dev.escapement.notifications.store.NotificationStore;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creator and worker on their threads. */
class DeliveryWorkerTest {

    private static final DeliveryRetryPolicy POLICY =
            new DeliveryRetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(2));

    /** A server that creates and sends. */
    private static final class Server implements AutoCloseable {

        final NotificationStore store;
        final NotificationCreator creator;
        final DeliveryWorker worker;

        /** By the clock of the database. */
        Server(Database database, FoldingPolicy folding, NotificationChannel channel) {
            this(database, new NotificationStore(database.backend()), folding, channel);
        }

        Server(Database database, NotificationStore store, FoldingPolicy folding, NotificationChannel channel) {
            NotificationPlanner planner =
                    new NotificationPlanner(RoutingRules.sendAllTo("ops"), QuietTimes.NONE, folding, POLICY, "");
            this.store = store;
            var listener = new NotificationCrashTest.IgnoringListener();
            DeliverySetup setup = new DeliverySetup(Map.of("ops", channel), Duration.ofMinutes(1));
            worker = new DeliveryWorker(store, () -> setup, 4, 4, listener);
            creator = new NotificationCreator(
                    database.journal(), new NotificationOutbox(database.backend(), planner), listener, worker::wakeUp);
            worker.start();
            creator.start();
        }

        @Override
        public void close() {
            creator.close();
            worker.close(Duration.ofSeconds(10));
        }
    }

    private static long countOf(NotificationRequest request) {
        return Optional.ofNullable(NotificationDocuments.spec(request).context())
                .map(context -> context.count())
                .orElse(1L);
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void tenThousandSkipsOnOneTargetGiveFewMessagesThatCountAll(DatabaseKind kind) {
        List<NotificationRequest> received = new CopyOnWriteArrayList<>();
        NotificationChannel channel = request -> {
            received.add(request);
            return DeliveryResult.sent("");
        };
        FoldingPolicy folding = new FoldingPolicy(Duration.ofSeconds(10), 2, 20);
        try (NotificationDatabase database = new NotificationDatabase(kind)) {
            database.setNow(START);
            try (Server server = new Server(database.opened(), database.store(), folding, channel)) {
                for (int batch = 0; batch < 20; batch++) {
                    int first = batch * 500;
                    List<Transition> skips = IntStream.range(first, first + 500)
                            .mapToObj(i -> NotableTransitions.skip(i, "node/a", SkipReason.ResourceBusy, START))
                            .toList();
                    database.append(skips);
                }
                ConditionPoller.await("every skip is counted", () -> count(list(server, Optional.empty())) == 10_000);
                database.setNow(START.plusSeconds(11));
                server.worker.wakeUp();
                ConditionPoller.await("every skip is in a message", () -> count(received) == 10_000);
                assertThat(received).hasSize(3);
            }
        }
    }

    private static long count(List<NotificationRequest> requests) {
        return requests.stream().mapToLong(DeliveryWorkerTest::countOf).sum();
    }

    @ParameterizedTest
    @EnumSource(value = DatabaseKind.class, names = "SQLITE")
    void failedDeliveryIsRetriedWithinThePolicyInRealTime(DatabaseKind kind) {
        List<Long> attempts = new CopyOnWriteArrayList<>();
        NotificationChannel channel = request -> {
            attempts.add(System.nanoTime());
            return attempts.size() < 2 ? DeliveryResult.failed("status 503") : DeliveryResult.sent("status 200");
        };
        try (NotificationDatabase database = new NotificationDatabase(kind);
                Server server = new Server(database.opened(), FoldingPolicy.DEFAULT, channel)) {
            database.append(List.of(NotableTransitions.failure(1, "node/a", server.store.now())));
            ConditionPoller.await(
                    "it is sent", () -> list(server, Optional.of("Sent")).size() == 1);
            assertThat(Duration.ofNanos(attempts.get(1) - attempts.get(0))).isGreaterThan(Duration.ofMillis(990));
            DeliveryStatus status = NotificationDocuments.status(
                    list(server, Optional.of("Sent")).get(0));
            assertThat(status.attempts())
                    .extracting(DeliveryStatus.Attempt::number)
                    .containsExactly(1, 2);
        }
    }

    private static List<NotificationRequest> list(Server server, Optional<String> phase) {
        NotificationFilter filter = new NotificationFilter(phase, Optional.empty(), Optional.empty());
        return server.store.list(filter, "", 500).items();
    }

    @ParameterizedTest
    @EnumSource(value = DatabaseKind.class, names = "POSTGRESQL")
    void serversShareTheWorkAndSendEachNotificationOnce(DatabaseKind kind) {
        List<String> received = new CopyOnWriteArrayList<>();
        NotificationChannel channel = request -> {
            received.add(NotificationDocuments.name(request));
            return DeliveryResult.sent("");
        };
        FoldingPolicy unlimited = new FoldingPolicy(Duration.ofSeconds(1), 1_000, 1_000);
        try (NotificationDatabase database = new NotificationDatabase(kind)) {
            List<Server> servers = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    servers.add(new Server(database.raw().open(), unlimited, channel));
                }
                Instant now = servers.get(0).store.now();
                for (int i = 0; i < 60; i += 2) {
                    database.append(List.of(
                            NotableTransitions.failure(i, "node/n" + i, now),
                            NotableTransitions.failure(i + 1, "node/n" + (i + 1), now)));
                }
                ConditionPoller.await(
                        "all are sent", () -> servers.get(0).store.countUnfinished() == 0 && received.size() >= 60);
                assertThat(received).hasSize(60).doesNotHaveDuplicates();
            } finally {
                servers.forEach(Server::close);
            }
        }
    }
}
