package dev.escapement.notifications.store;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.message.NotableTransitions;
import dev.escapement.notifications.message.NotificationName;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import dev.escapement.storage.DatabaseKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(DatabaseKind.class)
class NotificationStoreTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Map<DatabaseKind, NotificationDatabase> DATABASES =
            new java.util.EnumMap<>(DatabaseKind.class);
    private static final DeliveryResult OK = DeliveryResult.sent("200");
    private static final DeliveryResult ERROR = DeliveryResult.failed("status 503");

    @Parameter
    DatabaseKind kind = DatabaseKind.SQLITE;

    private NotificationDatabase database;
    private NotificationStore store;
    private NotificationOutbox outbox;

    @BeforeEach
    void clear() {
        database = DATABASES.computeIfAbsent(kind, NotificationDatabase::new);
        database.clear();
        store = database.store();
        outbox = database.outbox(FoldingPolicy.DEFAULT);
        outbox.position("");
    }

    @AfterAll
    static void close() {
        DATABASES.values().forEach(NotificationDatabase::close);
        DATABASES.clear();
    }

    private static List<Transition> skips(int from, int to, Instant at) {
        return IntStream.range(from, to)
                .mapToObj(i -> NotableTransitions.skip(i, "node/a", SkipReason.ResourceBusy, at))
                .toList();
    }

    private List<NotificationRequest> all() {
        return store.list(NotificationFilter.ALL, "", 1_000).items();
    }

    private static long countOf(NotificationRequest request) {
        return Optional.ofNullable(NotificationDocuments.spec(request).context())
                .map(context -> context.count())
                .orElse(1L);
    }

    @Test
    void createsNotificationAndAdvancesPositionTogether() {
        Transition failure = NotableTransitions.failure(1, "node/a", START);
        assertThat(outbox.create("", "7", List.of(failure))).contains(new NotificationOutbox.Creation(1, 0));
        assertThat(outbox.position("other")).isEqualTo("7");
        NotificationRequest stored = store.find(NotificationName.of(failure)).orElseThrow();
        assertThat(NotificationDocuments.spec(stored).severity()).isEqualTo("critical");
        assertThat(NotificationDocuments.status(stored)).isEqualTo(DeliveryStatus.pending(START));
    }

    @Test
    void serverWithOldPositionCreatesNothing() {
        assertThat(outbox.create("", "7", List.of(NotableTransitions.failure(1, "node/a", START))))
                .isPresent();
        assertThat(database.outbox(FoldingPolicy.DEFAULT)
                        .create("", "9", List.of(NotableTransitions.failure(2, "node/b", START))))
                .isEmpty();
        assertThat(all()).hasSize(1);
        assertThat(outbox.position("")).isEqualTo("7");
    }

    @Test
    void sameTransitionMakesOneNotification() {
        Transition failure = NotableTransitions.failure(1, "node/a", START);
        outbox.create("", "7", List.of(failure));
        assertThat(outbox.create("7", "8", List.of(failure))).contains(new NotificationOutbox.Creation(0, 0));
        assertThat(all()).hasSize(1);
    }

    @Test
    void foldsStormAcrossBatchesAndCountsEverySkip() {
        outbox.create("", "1", skips(0, 100, START));
        outbox.create("1", "2", skips(100, 200, START.plusSeconds(1)));
        assertThat(all()).hasSize(3);
        assertThat(all().stream().mapToLong(NotificationStoreTest::countOf).sum())
                .isEqualTo(200);
    }

    @Test
    void summaryThatIsBeingSentCountsNoMore() {
        outbox.create("", "1", skips(0, 100, START));
        database.setNow(START.plus(FoldingPolicy.DEFAULT.window()));
        assertThat(store.claim(10, "t", LEASE, Set.of())).hasSize(3);
        outbox.create("1", "2", skips(100, 110, START.plusSeconds(1)));
        assertThat(all()).hasSize(6);
        assertThat(all().stream().mapToLong(NotificationStoreTest::countOf).sum())
                .isEqualTo(110);
    }

    @Test
    void claimsOnlyWhatIsDue() {
        outbox.create("", "1", List.of(NotableTransitions.failure(1, "node/a", START)));
        database.setNow(START.minusSeconds(1));
        assertThat(store.claim(10, "t", LEASE, Set.of())).isEmpty();
        assertThat(store.untilNextDue(Set.of())).contains(Duration.ofSeconds(1));
        database.setNow(START);
        assertThat(store.claim(10, "t", LEASE, Set.of())).hasSize(1);
        assertThat(all())
                .allMatch(request -> NotificationDocuments.status(request).phase() == DeliveryPhase.Sending);
        assertThat(store.claim(10, "u", LEASE, Set.of())).isEmpty();
    }

    @Test
    void attemptWithoutAResultCountsAsFailedAndItsLateResultIsRefused() {
        outbox.create("", "1", List.of(NotableTransitions.failure(1, "node/a", START)));
        database.setNow(START);
        ClaimedNotification first = store.claim(10, "t", LEASE, Set.of()).get(0);
        database.setNow(START.plus(LEASE));
        assertThat(store.claim(10, "u", LEASE, Set.of())).isEmpty();
        DeliveryStatus status = NotificationDocuments.status(all().get(0));
        assertThat(status.phase()).isEqualTo(DeliveryPhase.Retrying);
        assertThat(status.attempts()).hasSize(2).allMatch(attempt -> attempt.number() == 1 && !attempt.sent());
        assertThat(store.record(first, Map.of("log", OK, "ops", OK))).isEmpty();
        database.setNow(status.nextAttemptAt().orElseThrow());
        ClaimedNotification second = store.claim(10, "v", LEASE, Set.of()).get(0);
        assertThat(store.record(second, Map.of("log", OK, "ops", OK)))
                .hasValueSatisfying(sent -> assertThat(sent.phase()).isEqualTo(DeliveryPhase.Sent));
        assertThat(store.untilNextDue(Set.of())).isEmpty();
        assertThat(store.countUnfinished()).isZero();
    }

    @Test
    void attemptsEndAlthoughEveryOneOfThemCrashes() {
        outbox.create("", "1", List.of(NotableTransitions.failure(1, "node/a", START)));
        int claims = 0;
        for (Instant now = START; store.untilNextDue(Set.of()).isPresent(); now = now.plusSeconds(30)) {
            database.setNow(now);
            claims += store.claim(10, "t" + now, LEASE, Set.of()).size();
        }
        assertThat(claims).isEqualTo(NotificationDatabase.RETRY_POLICY.maxAttempts());
        assertThat(NotificationDocuments.status(all().get(0)).phase()).isEqualTo(DeliveryPhase.Failed);
    }

    @Test
    void claimsCriticalOnesFirstAndNoneForABusyChannel() {
        database.setNow(START.plusSeconds(1));
        outbox.create(
                "",
                "1",
                List.of(
                        NotableTransitions.clearance("node/a", "ann", START),
                        NotableTransitions.failure(2, "node/b", START.plusSeconds(1))));
        assertThat(store.claim(10, "t", LEASE, Set.of("mail", "ops"))).isEmpty();
        assertThat(store.untilNextDue(Set.of("mail", "ops"))).isEmpty();
        ClaimedNotification critical =
                store.claim(1, "u", LEASE, Set.of("mail", "op")).get(0);
        assertThat(NotificationDocuments.spec(critical.request()).severity()).isEqualTo("critical");
        // Only the channel that failed is open now.
        store.record(critical, Map.of("log", OK, "ops", ERROR));
        store.record(store.claim(1, "v", LEASE, Set.of("mail")).get(0), Map.of("log", OK, "ops", OK));
        database.setNow(START.plusSeconds(60));
        assertThat(store.claim(10, "w", LEASE, Set.of("ops"))).isEmpty();
        assertThat(store.claim(10, "x", LEASE, Set.of("log"))).hasSize(1);
    }

    @Test
    void retriesAtTheStoredTimeUntilThePolicyEnds() {
        outbox.create("", "1", List.of(NotableTransitions.failure(1, "node/a", START)));
        Instant now = START;
        List<Duration> delays = new ArrayList<>();
        DeliveryStatus status = DeliveryStatus.pending(START);
        while (!status.phase().isTerminal()) {
            database.setNow(now);
            ClaimedNotification claim =
                    store.claim(10, "t" + delays.size(), LEASE, Set.of()).get(0);
            status = store.record(claim, Map.of("log", OK, "ops", ERROR)).orElseThrow();
            if (status.nextAttemptAt().isPresent()) {
                Instant next = status.nextAttemptAt().get();
                delays.add(Duration.between(now, next));
                assertThat(NotificationDocuments.status(all().get(0)).nextAttemptAt())
                        .contains(next);
                database.setNow(next.minusNanos(1_000));
                assertThat(store.claim(10, "early", LEASE, Set.of())).isEmpty();
                now = next.plusNanos(1_000);
            }
        }
        assertThat(status.phase()).isEqualTo(DeliveryPhase.PartiallySent);
        assertThat(delays).hasSize(3);
        assertThat(delays.get(0)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        assertThat(delays.get(1)).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(22));
        assertThat(delays.get(2)).isBetween(Duration.ofSeconds(36), Duration.ofSeconds(44));
    }

    @Test
    void listsByPhaseSeverityAndTargetInPages() {
        outbox.create(
                "",
                "1",
                List.of(
                        NotableTransitions.failure(1, "node/a", START),
                        NotableTransitions.failure(2, "node/b", START.plusSeconds(1)),
                        NotableTransitions.clearance("node/a", "ann", START.plusSeconds(2))));
        assertThat(list(Optional.empty(), Optional.of("critical"), Optional.empty()))
                .hasSize(2);
        assertThat(list(Optional.empty(), Optional.empty(), Optional.of("node/a")))
                .hasSize(2);
        assertThat(list(Optional.of("Pending"), Optional.of("info"), Optional.of("node/a")))
                .hasSize(1);
        assertThat(list(Optional.of("Sent"), Optional.empty(), Optional.empty()))
                .isEmpty();
        Page<NotificationRequest> first = store.list(NotificationFilter.ALL, "", 2);
        Page<NotificationRequest> second =
                store.list(NotificationFilter.ALL, first.nextToken().orElseThrow(), 2);
        assertThat(first.items()).hasSize(2);
        assertThat(second.items()).hasSize(1);
        assertThat(second.nextToken()).isEmpty();
        assertThat(second.items().get(0)).isNotIn(first.items());
    }

    private List<NotificationRequest> list(Optional<String> phase, Optional<String> severity, Optional<String> target) {
        return store.list(new NotificationFilter(phase, severity, target), "", 10)
                .items();
    }

    @Test
    void removesOnlyWhatFinishedLongAgo() {
        outbox.create(
                "",
                "1",
                List.of(
                        NotableTransitions.failure(1, "node/a", START),
                        NotableTransitions.failure(2, "node/b", START.plusSeconds(3_600))));
        database.setNow(START);
        store.record(store.claim(10, "t", LEASE, Set.of()).get(0), Map.of("log", OK, "ops", OK));
        assertThat(store.removeFinished(Duration.ofDays(1), 100)).isZero();
        database.setNow(START.plus(Duration.ofDays(2)));
        // The notification that was sent, and the window of both.
        assertThat(store.removeFinished(Duration.ofDays(1), 100)).isEqualTo(2);
        assertThat(all()).hasSize(1);
    }
}
