package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the effect and lifetime of hints. */
class SchedulerLoopHintsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture();

    @Test
    void oneShotHintRunsAtOnceAndIsRecordedInPlan() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofHours(1)));
        fixture.runFor(Duration.ofMinutes(1));
        Instant asked = fixture.clock.instant();
        fixture.service.addHint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "deployment"));
        fixture.runFor(Duration.ofMinutes(1));

        assertThat(fixture.receiver.receivedCalls()).hasSize(1);
        FinishedRun run = fixture.runsOf("health").get(0);
        assertThat(run.slot()).isAfter(asked).isBefore(asked.plusSeconds(1));
        assertThat(run.source()).isEqualTo("HINT_ONE_SHOT");
        assertThat(run.planJson()).contains("ada", "deployment", "BASELINE_INTERVAL", "NOT_THE_EARLIEST");
        fixture.runFor(Duration.ofMinutes(30));
        assertThat(fixture.receiver.receivedCalls())
                .describedAs("a one-shot runs once")
                .hasSize(1);
    }

    @Test
    void intervalHintReplacesBackoffUntilItExpires() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(1)));
        fixture.behaviour = call -> SimulatedReceiver.failAfter(SECOND);
        fixture.runFor(Duration.ofMinutes(10));
        int before = fixture.receiver.receivedCalls().size();
        fixture.service.addHint(
                "health", now -> new IntervalHint(Duration.ofSeconds(10), now, now.plusSeconds(60), "ada", "watching"));
        fixture.runFor(Duration.ofSeconds(61));

        // At once, and then ten seconds after the end of each, until it expires.
        assertThat(fixture.receiver.receivedCalls().size() - before).isEqualTo(6);
    }

    @Test
    void showsWhetherHintIsActiveAnsweredOrExpired() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofHours(1)));
        addOneShotHint();
        addIntervalHint();
        assertThat(shownHintStates()).containsExactly("ACTIVE", "ACTIVE");

        fixture.runFor(SECOND);
        assertThat(shownHintStates()).containsExactly("ANSWERED", "ACTIVE");

        fixture.runFor(Duration.ofMinutes(1));
        assertThat(shownHintStates()).containsExactly("ANSWERED", "EXPIRED");
    }

    @Test
    void removesAnsweredAndExpiredHintsWhenOneIsAdded() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofHours(1)));
        addOneShotHint();
        addIntervalHint();
        fixture.runFor(SECOND);
        addIntervalHint();
        assertThat(shownHintStates()).describedAs("fulfilled hints are removed").containsExactly("ACTIVE", "ACTIVE");

        fixture.runFor(Duration.ofMinutes(1));
        addOneShotHint();
        assertThat(shownHintStates()).describedAs("expired hints are removed").containsExactly("ACTIVE");
    }

    @Test
    void refusesMoreThanTwentyHints() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofHours(1)));
        for (int i = 0; i < 20; i++) {
            addIntervalHint();
        }

        assertThatThrownBy(this::addIntervalHint).hasMessageContaining("health has 20 hints already");
        assertThat(shownHintStates()).hasSize(20);
    }

    private void addOneShotHint() {
        fixture.service.addHint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "once"));
    }

    private void addIntervalHint() {
        fixture.service.addHint(
                "health", now -> new IntervalHint(Duration.ofHours(2), now, now.plusSeconds(60), "ada", "less"));
    }

    private List<String> shownHintStates() {
        Endpoint document = EndpointMapper.toDocument(
                fixture.store.findByName("health").orElseThrow(), fixture.clock.instant(), Optional.empty());
        return document.hints().stream()
                .map(hint -> String.valueOf(hint.state()))
                .toList();
    }
}
