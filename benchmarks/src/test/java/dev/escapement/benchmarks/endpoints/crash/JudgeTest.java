package dev.escapement.benchmarks.endpoints.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.benchmarks.endpoints.Arrival;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.FinishedRun;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A judge that finds nothing proves nothing: each promise is broken here once. */
class JudgeTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");
    private static final CallResult YES =
            new CallResult(Optional.empty(), Optional.of(200), "", "ok", 2, Optional.empty());

    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<FinishedRun> runs = new ArrayList<>();
    private boolean calm;

    private static Instant at(double seconds) {
        return START.plusMillis((long) (seconds * 1000));
    }

    private void called(long number, double second) {
        arrivals.add(new Arrival(ChronoUnit.MICROS.between(Instant.EPOCH, at(second)), "/a", "id-" + number));
    }

    private void recorded(long number, double slot, double started, int attempt, long missed, CallResult answer) {
        runs.add(new FinishedRun(
                "id",
                "a",
                number,
                attempt,
                at(slot),
                at(slot),
                at(started),
                at(started),
                "w",
                "s",
                "{}",
                0,
                0,
                answer,
                missed,
                ""));
    }

    private void ran(long number, double slot) {
        called(number, slot + 0.1);
        recorded(number, slot, slot + 0.1, 1, 0, YES);
    }

    /** Every ten seconds, a lease of five, until second 40. */
    private List<String> broken() {
        Evidence.Terms terms = new Evidence.Terms(
                Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1));
        return Judge.of(new Evidence(Set.of("a"), arrivals, runs, terms, at(40), calm)).entrySet().stream()
                .filter(promise -> !promise.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void wellUntilTheEnd() {
        ran(1, 10);
        ran(2, 20);
        ran(3, 30);
    }

    @Test
    void aGoodLifeBreaksNothing() {
        wellUntilTheEnd();
        assertThat(broken()).isEmpty();
        calm = true;
        assertThat(broken()).isEmpty();
    }

    @Test
    void anEndpointThatNeverRanIsForgotten() {
        assertThat(broken()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void anEndpointThatStopsIsForgotten() {
        ran(1, 10);
        assertThat(broken()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void aSlotThatIsLeftOutMustBeRecordedAsMissed() {
        ran(1, 10);
        ran(2, 30);
        assertThat(broken()).containsExactly("every slot was called, or recorded as missed");
        runs.clear();
        recorded(1, 10, 10.1, 1, 1, YES);
        recorded(2, 30, 30.1, 1, 0, YES);
        assertThat(broken()).isEmpty();
        calm = true;
        assertThat(broken()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void aHoleInTheNumbersIsSeen() {
        ran(1, 10);
        ran(3, 20);
        ran(4, 30);
        assertThat(broken()).containsExactly("every slot has one run, and every run its number");
    }

    @Test
    void oneSlotUnderTwoKeysIsSeen() {
        wellUntilTheEnd();
        ran(4, 30);
        assertThat(broken()).contains("every slot has one run, and every run its number");
    }

    @Test
    void aRunThatNobodySawIsALie() {
        ran(1, 10);
        recorded(2, 20, 20.1, 1, 0, YES);
        ran(3, 30);
        assertThat(broken()).containsExactly("what was recorded as called was called");
    }

    @Test
    void aRunThatIsRecordedAsLostNeedNotHaveBeenSeen() {
        ran(1, 10);
        recorded(2, 20, 20.1, 1, 0, CallResult.failed(Failure.LOST, "all died"));
        ran(3, 37);
        assertThat(broken()).isEmpty();
        calm = true;
        assertThat(broken()).containsExactly("every slot was called exactly once");
    }

    @Test
    void aCallThatNobodyRecordedIsSeen() {
        wellUntilTheEnd();
        called(4, 40);
        assertThat(broken()).containsExactly("every call was recorded");
    }

    @Test
    void aCallUnderSomebodyElsesKeyIsSeen() {
        wellUntilTheEnd();
        arrivals.set(2, new Arrival(arrivals.get(2).micros(), "/b", "id-3"));
        assertThat(broken()).containsExactly("every call was recorded");
    }

    @Test
    void aRepeatAfterTheLeaseIsForgivenUnlessNobodyWasKilled() {
        ran(1, 10);
        called(2, 20.1);
        called(2, 25.2);
        recorded(2, 20, 25.2, 2, 0, YES);
        ran(3, 30);
        assertThat(broken()).isEmpty();
        calm = true;
        assertThat(broken()).containsExactly("every slot was called exactly once");
    }

    @Test
    void aRepeatThatWasNoAttemptIsSeen() {
        wellUntilTheEnd();
        called(3, 35);
        assertThat(broken()).containsExactly("repeats have the same Idempotency-Key, and were counted as attempts");
    }

    @Test
    void aRepeatWhileTheLeaseIsHeldIsTooSoon() {
        ran(1, 10);
        called(2, 20.1);
        called(2, 21.1);
        recorded(2, 20, 21.1, 2, 0, YES);
        ran(3, 30);
        assertThat(broken()).containsExactly("nothing was called again while its lease was held");
    }

    @Test
    void whatIsRunAgainLongAfterTheLeaseIsTooLate() {
        ran(1, 10);
        called(2, 20.1);
        called(2, 27);
        recorded(2, 20, 27, 2, 0, YES);
        ran(3, 30);
        assertThat(broken()).containsExactly("what was interrupted was run again within the lease time");
    }
}
