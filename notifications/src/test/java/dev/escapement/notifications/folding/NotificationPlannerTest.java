package dev.escapement.notifications.folding;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.folding.NotificationPlanner.Plan;
import dev.escapement.notifications.message.NotableTransitions;
import dev.escapement.notifications.message.NotificationClassifier;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.RoutingRules;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NotificationPlannerTest {

    private static final NotificationPlanner PLANNER = planner(FoldingPolicy.DEFAULT);

    private static NotificationPlanner planner(FoldingPolicy folding) {
        return new NotificationPlanner(
                RoutingRules.sendAllTo("log"), QuietTimes.NONE, folding, DeliveryRetryPolicy.DEFAULT, "");
    }

    private static long countOf(NotificationRequest request) {
        Long count = Optional.ofNullable(NotificationDocuments.spec(request).context())
                .map(context -> context.count())
                .orElse(null);
        return count == null ? 1 : count;
    }

    /** The store in memory: plans in batches and applies each plan. */
    private static final class Outbox {
        final Map<String, NotificationRequest> requests = new HashMap<>();
        final Map<String, FoldState> windows = new HashMap<>();
        final Set<String> sentSummaries = new HashSet<>();
        final NotificationPlanner planner;

        Outbox(NotificationPlanner planner) {
            this.planner = planner;
        }

        void process(List<Transition> batch) {
            Set<String> closed = new HashSet<>();
            windows.forEach((id, state) -> {
                if (sentSummaries.contains(NotificationPlanner.summaryName(state))) {
                    closed.add(id);
                }
            });
            Plan plan = planner.plan(batch, windows, closed);
            plan.created().forEach(request -> requests.put(NotificationDocuments.name(request), request));
            plan.summaries().forEach(request -> {
                assertThat(sentSummaries).doesNotContain(NotificationDocuments.name(request));
                requests.put(NotificationDocuments.name(request), request);
            });
            windows.putAll(plan.windows());
        }

        void sendSummaries() {
            requests.forEach((name, request) -> {
                if (NotificationPlanner.SUMMARY_TYPE.equals(
                        NotificationDocuments.spec(request).eventType())) {
                    sentSummaries.add(name);
                }
            });
        }

        long counted() {
            return requests.values().stream()
                    .mapToLong(NotificationPlannerTest::countOf)
                    .sum();
        }
    }

    @Test
    void tenThousandSkipsInAMinuteMakeThreeMessagesThatCountAll() {
        Outbox outbox = new Outbox(PLANNER);
        List<Transition> skips = IntStream.range(0, 10_000)
                .mapToObj(i -> NotableTransitions.skip(i, "node/a", SkipReason.ResourceBusy, START.plusMillis(i * 6L)))
                .toList();
        for (int from = 0; from < skips.size(); from += 500) {
            outbox.process(skips.subList(from, from + 500));
        }
        assertThat(outbox.requests).hasSize(3);
        assertThat(outbox.counted()).isEqualTo(10_000);
    }

    @Test
    void summaryIsDueAtTheEndOfItsWindowAndSaysWhatItCounts() {
        Outbox outbox = new Outbox(PLANNER);
        outbox.process(IntStream.range(0, 10)
                .mapToObj(i -> NotableTransitions.skip(i, "node/a", SkipReason.ResourceBusy, START.plusSeconds(i)))
                .toList());
        NotificationRequest summary = outbox.requests.values().stream()
                .filter(request -> countOf(request) > 1)
                .findFirst()
                .orElseThrow();
        assertThat(NotificationDocuments.status(summary).nextAttemptAt())
                .contains(START.plus(FoldingPolicy.DEFAULT.window()));
        assertThat(NotificationDocuments.spec(summary).subject())
                .isEqualTo("8 more skipped executions on node/a: ResourceBusy");
        assertThat(NotificationDocuments.spec(summary).message())
                .contains(
                        "What: 8 more skipped executions in one summary", "Target: node/a", "8 × ResourceBusy restart");
    }

    @Test
    void stormOverManyTargetsIsFoldedToo() {
        Outbox outbox = new Outbox(PLANNER);
        outbox.process(IntStream.range(0, 1_000)
                .mapToObj(i -> NotableTransitions.skip(i, "node/n" + i, SkipReason.ResourceBusy, START))
                .toList());
        assertThat(outbox.requests).hasSize(FoldingPolicy.DEFAULT.overall() + 1);
        assertThat(outbox.counted()).isEqualTo(1_000);
    }

    @Test
    void stormOfOneReasonDoesNotHideAnother() {
        Outbox outbox = new Outbox(PLANNER);
        outbox.process(IntStream.range(0, 100)
                .mapToObj(i -> NotableTransitions.skip(i, "node/a", SkipReason.ResourceBusy, START))
                .toList());
        Transition blocked = NotableTransitions.skip(100, "node/a", SkipReason.PreviousExecutionFailed, START);
        outbox.process(List.of(blocked));
        assertThat(outbox.requests).containsKey(dev.escapement.notifications.message.NotificationName.of(blocked));
    }

    @Test
    void newWindowSendsOneByOneAgain() {
        Outbox outbox = new Outbox(PLANNER);
        Instant later = START.plus(FoldingPolicy.DEFAULT.window());
        outbox.process(List.of(
                NotableTransitions.skip(1, "node/a", SkipReason.ResourceBusy, START),
                NotableTransitions.skip(2, "node/a", SkipReason.ResourceBusy, START),
                NotableTransitions.skip(3, "node/a", SkipReason.ResourceBusy, later)));
        assertThat(outbox.requests.values()).hasSize(3).allMatch(request -> countOf(request) == 1);
    }

    @Test
    void everyNotableTransitionIsCountedOnceWhateverTheBatchesAndTheSending() {
        Property.forAll(200, gen -> {
            Outbox outbox = new Outbox(planner(
                    new FoldingPolicy(Duration.ofSeconds(gen.between(1, 300)), gen.between(0, 4), gen.between(0, 10))));
            Instant at = START;
            long expected = 0;
            int number = 0;
            for (int batch = gen.length(1, 30); batch > 0; batch--) {
                List<Transition> transitions = new ArrayList<>();
                for (int i = gen.length(0, 60); i > 0; i--) {
                    // Times of different servers are not in order.
                    at = at.plusMillis(gen.between(-50, 5_000));
                    String target = "node/n" + gen.between(1, 4);
                    Transition next = gen.oneIn(5)
                            ? NotableTransitions.failure(number++, target, at)
                            : gen.oneIn(10)
                                    ? NotableTransitions.completion(number++, target, at)
                                    : NotableTransitions.skip(number++, target, gen.oneOf(SkipReason.values()), at);
                    transitions.add(next);
                    expected += NotificationClassifier.severityOf(next).isPresent() ? 1 : 0;
                }
                outbox.process(transitions);
                if (gen.oneIn(3)) {
                    outbox.sendSummaries();
                }
            }
            assertThat(outbox.counted()).isEqualTo(expected);
        });
    }

    @Test
    void sameBatchPlansTheSame() {
        List<Transition> batch = IntStream.range(0, 50)
                .mapToObj(i -> NotableTransitions.skip(i, "node/n" + i % 3, SkipReason.ResourceBusy, START))
                .toList();
        assertThat(PLANNER.plan(batch, Map.of(), Set.of())).isEqualTo(PLANNER.plan(batch, Map.of(), Set.of()));
    }
}
