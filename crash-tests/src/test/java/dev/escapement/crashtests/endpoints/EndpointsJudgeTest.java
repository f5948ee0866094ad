package dev.escapement.crashtests.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.FinishedRun;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Violates each promise once, to show that the judge finds it. */
class EndpointsJudgeTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");
    private static final CallResult SUCCESS =
            new CallResult(Optional.empty(), Optional.of(200), "", "ok", 2, Optional.empty());

    private final List<RecordedCall> recordedCalls = new ArrayList<>();
    private final List<FinishedRun> runs = new ArrayList<>();
    private boolean withoutKills;

    private static Instant timeAt(double seconds) {
        return START.plusMillis((long) (seconds * 1000));
    }

    private void addCall(long number, double second) {
        recordedCalls.add(
                new RecordedCall(ChronoUnit.MICROS.between(Instant.EPOCH, timeAt(second)), "/a", "id-" + number));
    }

    private void addRun(long number, double slot, double started, int attempt, long missed, CallResult result) {
        runs.add(new FinishedRun(
                "id",
                "a",
                number,
                attempt,
                timeAt(slot),
                timeAt(slot),
                timeAt(started),
                timeAt(started),
                "w",
                "s",
                "{}",
                0,
                0,
                result,
                missed,
                ""));
    }

    private void addSuccessfulRun(long number, double slot) {
        addCall(number, slot + 0.1);
        addRun(number, slot, slot + 0.1, 1, 0, SUCCESS);
    }

    /** With an interval of 10 s, a lease of 5 s, and the end of the test at second 40. */
    private List<String> brokenPromises() {
        EndpointsEvidence.TestSettings settings = new EndpointsEvidence.TestSettings(
                Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1));
        return EndpointsJudge.judge(
                        new EndpointsEvidence(Set.of("a"), recordedCalls, runs, settings, timeAt(40), withoutKills))
                .brokenPromises();
    }

    private void addAllRuns() {
        addSuccessfulRun(1, 10);
        addSuccessfulRun(2, 20);
        addSuccessfulRun(3, 30);
    }

    @Test
    void correctHistoryBreaksNoPromise() {
        addAllRuns();
        assertThat(brokenPromises()).isEmpty();
        withoutKills = true;
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void detectsEndpointThatNeverRan() {
        assertThat(brokenPromises()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void detectsEndpointThatStoppedRunning() {
        addSuccessfulRun(1, 10);
        assertThat(brokenPromises()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void detectsSkippedSlotNotRecordedAsMissed() {
        addSuccessfulRun(1, 10);
        addSuccessfulRun(2, 30);
        assertThat(brokenPromises()).containsExactly("every slot was called, or recorded as missed");
        runs.clear();
        addRun(1, 10, 10.1, 1, 1, SUCCESS);
        addRun(2, 30, 30.1, 1, 0, SUCCESS);
        assertThat(brokenPromises()).isEmpty();
        withoutKills = true;
        assertThat(brokenPromises()).containsExactly("every slot was called, or recorded as missed");
    }

    @Test
    void detectsGapInRunNumbers() {
        addSuccessfulRun(1, 10);
        addSuccessfulRun(3, 20);
        addSuccessfulRun(4, 30);
        assertThat(brokenPromises()).containsExactly("every slot has one run, and every run its number");
    }

    @Test
    void detectsTwoRunsOfOneSlot() {
        addAllRuns();
        addSuccessfulRun(4, 30);
        assertThat(brokenPromises()).contains("every slot has one run, and every run its number");
    }

    @Test
    void detectsRecordedRunWithoutCall() {
        addSuccessfulRun(1, 10);
        addRun(2, 20, 20.1, 1, 0, SUCCESS);
        addSuccessfulRun(3, 30);
        assertThat(brokenPromises()).containsExactly("every recorded call was made");
    }

    @Test
    void acceptsLostRunWithoutCallAfterKills() {
        addSuccessfulRun(1, 10);
        addRun(2, 20, 20.1, 1, 0, CallResult.failed(Failure.LOST, "every worker died"));
        addSuccessfulRun(3, 37);
        assertThat(brokenPromises()).isEmpty();
        withoutKills = true;
        assertThat(brokenPromises()).containsExactly("every slot was called exactly once");
    }

    @Test
    void detectsUnrecordedCall() {
        addAllRuns();
        addCall(4, 40);
        assertThat(brokenPromises()).containsExactly("every call was recorded");
    }

    @Test
    void detectsCallWithKeyOfOtherEndpoint() {
        addAllRuns();
        recordedCalls.set(2, new RecordedCall(recordedCalls.get(2).epochMicros(), "/b", "id-3"));
        assertThat(brokenPromises()).containsExactly("every call was recorded");
    }

    @Test
    void acceptsRepeatAfterLeaseOnlyAfterKills() {
        addSuccessfulRun(1, 10);
        addCall(2, 20.1);
        addCall(2, 25.2);
        addRun(2, 20, 25.2, 2, 0, SUCCESS);
        addSuccessfulRun(3, 30);
        assertThat(brokenPromises()).isEmpty();
        withoutKills = true;
        assertThat(brokenPromises()).containsExactly("every slot was called exactly once");
    }

    @Test
    void detectsRepeatNotCountedAsAttempt() {
        addAllRuns();
        addCall(3, 35);
        assertThat(brokenPromises())
                .containsExactly("repeated calls have the same Idempotency-Key and are counted as attempts");
    }

    @Test
    void detectsRepeatDuringLease() {
        addSuccessfulRun(1, 10);
        addCall(2, 20.1);
        addCall(2, 21.1);
        addRun(2, 20, 21.1, 2, 0, SUCCESS);
        addSuccessfulRun(3, 30);
        assertThat(brokenPromises()).containsExactly("no call was repeated during its lease");
    }

    @Test
    void detectsRepeatLongAfterLease() {
        addSuccessfulRun(1, 10);
        addCall(2, 20.1);
        addCall(2, 27);
        addRun(2, 20, 27, 2, 0, SUCCESS);
        addSuccessfulRun(3, 30);
        assertThat(brokenPromises()).containsExactly("every interrupted run was repeated within the lease time");
    }
}
