package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.EndpointView;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.Run;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What hints bring, and how long they are there, under a virtual clock. */
class HintsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LoopWorld world = new LoopWorld();

    @Test
    void aHintActsAtOnceAndItsStoryIsKeptWithTheRun() {
        world.endpoints.create(Sample.every("health", Duration.ofHours(1)));
        world.live(Duration.ofMinutes(1));
        Instant asked = world.clock.instant();
        world.endpoints.hint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "deployment"));
        world.live(Duration.ofMinutes(1));

        assertThat(world.receiver.hits()).hasSize(1);
        Run run = world.runs("health").get(0);
        assertThat(run.slot()).isAfter(asked).isBefore(asked.plusSeconds(1));
        assertThat(run.source()).isEqualTo("HINT_ONE_SHOT");
        assertThat(run.story()).contains("ada", "deployment", "BASELINE_INTERVAL", "NOT_THE_EARLIEST");
        world.live(Duration.ofMinutes(30));
        assertThat(world.receiver.hits()).describedAs("a one-shot runs once").hasSize(1);
    }

    @Test
    void anIntervalHintReplacesTheBackoffUntilItExpires() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(1)));
        world.behaviour = call -> SimulatedReceiver.badly(SECOND);
        world.live(Duration.ofMinutes(10));
        int before = world.receiver.hits().size();
        world.endpoints.hint(
                "health", now -> new IntervalHint(Duration.ofSeconds(10), now, now.plusSeconds(60), "ada", "watching"));
        world.live(Duration.ofSeconds(61));

        // At once, and then ten seconds after the end of each, until it expires.
        assertThat(world.receiver.hits().size() - before).isEqualTo(6);
    }

    @Test
    void aHintSaysWhetherItStillActs() {
        world.endpoints.create(Sample.every("health", Duration.ofHours(1)));
        once();
        slower();
        assertThat(shown()).containsExactly("ACTIVE", "ACTIVE");

        world.live(SECOND);
        assertThat(shown()).containsExactly("ANSWERED", "ACTIVE");

        world.live(Duration.ofMinutes(1));
        assertThat(shown()).containsExactly("ANSWERED", "EXPIRED");
    }

    @Test
    void hintsThatWereAnsweredOrHaveExpiredMakeRoom() {
        world.endpoints.create(Sample.every("health", Duration.ofHours(1)));
        once();
        slower();
        world.live(SECOND);
        slower();
        assertThat(shown()).describedAs("the one that was answered is gone").containsExactly("ACTIVE", "ACTIVE");

        world.live(Duration.ofMinutes(1));
        once();
        assertThat(shown()).describedAs("those that have expired are gone").containsExactly("ACTIVE");
    }

    @Test
    void thereAreNoMoreThanTwentyHintsAtOnce() {
        world.endpoints.create(Sample.every("health", Duration.ofHours(1)));
        for (int i = 0; i < 20; i++) {
            slower();
        }

        assertThatThrownBy(this::slower).hasMessageContaining("health has 20 hints already");
        assertThat(shown()).hasSize(20);
    }

    private void once() {
        world.endpoints.hint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "once"));
    }

    private void slower() {
        world.endpoints.hint(
                "health", now -> new IntervalHint(Duration.ofHours(2), now, now.plusSeconds(60), "ada", "less"));
    }

    private List<String> shown() {
        Map<String, Object> document =
                EndpointView.write(world.store.named("health").orElseThrow(), world.clock.instant());
        List<?> hints = (List<?>) document.getOrDefault("hints", List.of());
        return hints.stream()
                .map(hint -> String.valueOf(((Map<?, ?>) hint).get("state")))
                .toList();
    }
}
