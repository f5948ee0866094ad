package dev.escapement.notifications.worker;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.message.NotableTransitions;
import dev.escapement.notifications.message.NotificationClassifier;
import dev.escapement.notifications.store.NotificationDatabase;
import dev.escapement.notifications.store.NotificationStore;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes servers between any two steps: every transition is counted once, every notification is sent. */
class NotificationCrashTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final int SCENARIOS = Boolean.getBoolean("escapement.nightly") ? 100 : 3;

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void nothingIsLostAndNothingIsCreatedTwice(DatabaseKind kind) {
        try (NotificationDatabase database = new NotificationDatabase(kind)) {
            Property.forAll(SCENARIOS, gen -> {
                database.clear();
                new Scenario(database, gen).run();
            });
        }
    }

    /** Some servers that follow the journal and send, each of which is killed and started again at random. */
    private static final class Scenario {

        private final NotificationDatabase database;
        private final Generator gen;
        private final Map<String, Integer> received = new HashMap<>();
        private final Set<String> appended = new HashSet<>();
        private Instant now = START;
        private int number;

        Scenario(NotificationDatabase database, Generator gen) {
            this.database = database;
            this.gen = gen;
        }

        void run() {
            List<NotificationCreator> creators = new ArrayList<>(List.of(newCreator(), newCreator()));
            for (int step = gen.length(10, 60); step > 0; step--) {
                now = now.plusMillis(gen.between(0, 4_000));
                database.setNow(now);
                switch (gen.between(0, 4)) {
                    case 0, 1 -> appendTransitions();
                    case 2 -> gen.oneOf(creators).processAll();
                    // A restarted server knows only what the database knows.
                    case 3 -> creators.set(gen.between(0, 1), newCreator());
                    default -> deliver(gen.oneIn(2));
                }
            }
            creators.get(0).processAll();
            check();
        }

        private NotificationCreator newCreator() {
            return new NotificationCreator(
                    database.opened().journal(), database.outbox(policy()), new IgnoringListener(), () -> {});
        }

        private static FoldingPolicy policy() {
            return new FoldingPolicy(Duration.ofSeconds(30), 2, 5);
        }

        private void appendTransitions() {
            List<Transition> transitions = new ArrayList<>();
            for (int i = gen.between(1, 12); i > 0; i--) {
                number++;
                String target = "node/n" + gen.between(1, 3);
                transitions.add(
                        gen.oneIn(4)
                                ? NotableTransitions.completion(number, target, now)
                                : gen.oneIn(4)
                                        ? NotableTransitions.failure(number, target, now)
                                        : NotableTransitions.skip(number, target, gen.oneOf(SkipReason.values()), now));
            }
            transitions.stream()
                    .filter(transition ->
                            NotificationClassifier.severityOf(transition).isPresent())
                    .forEach(transition ->
                            appended.add(transition.execution().orElseThrow().uid()));
            database.append(transitions);
        }

        /** Sends what is due; a crash loses the results of what was sent. */
        private void deliver(boolean crash) {
            NotificationStore store = database.store();
            for (var claim :
                    store.claim(gen.between(1, 10), "token-" + gen.between(0L, Long.MAX_VALUE), LEASE, Set.of())) {
                Map<String, DeliveryResult> results = new HashMap<>();
                boolean reached = !gen.oneIn(5);
                if (reached) {
                    received.merge(NotificationDocuments.name(claim.request()), 1, Integer::sum);
                }
                results.put("log", DeliveryResult.sent(""));
                results.put("ops", reached ? DeliveryResult.sent("") : DeliveryResult.failed("status 503"));
                if (!crash) {
                    store.record(claim, results);
                }
            }
        }

        private void check() {
            List<NotificationRequest> all =
                    database.store().list(NotificationFilter.ALL, "", 10_000).items();
            long counted = all.stream().mapToLong(Scenario::countOf).sum();
            assertThat(counted).as("every transition is counted once").isEqualTo(appended.size());
            while (database.store().untilNextDue(Set.of()).isPresent()) {
                now = now.plusSeconds(10);
                database.setNow(now);
                deliver(gen.oneIn(4));
            }
            for (NotificationRequest request :
                    database.store().list(NotificationFilter.ALL, "", 10_000).items()) {
                DeliveryPhase phase = NotificationDocuments.status(request).phase();
                assertThat(phase.isTerminal()).isTrue();
                if (phase == DeliveryPhase.Sent) {
                    assertThat(received).containsKey(NotificationDocuments.name(request));
                }
            }
        }

        private static long countOf(NotificationRequest request) {
            return Optional.ofNullable(NotificationDocuments.spec(request).context())
                    .map(context -> context.count())
                    .orElse(1L);
        }
    }

    /** Needs no metrics. */
    static final class IgnoringListener implements DeliveryListener {
        @Override
        public void onAttempt(String channel, boolean sent) {}

        @Override
        public void onRetry() {}

        @Override
        public void onFinished(DeliveryPhase phase) {}

        @Override
        public void onCreated(int created, int folded) {}
    }
}
