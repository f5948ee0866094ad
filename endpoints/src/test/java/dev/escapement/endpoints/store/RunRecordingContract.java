package dev.escapement.endpoints.store;

import static dev.escapement.endpoints.store.EndpointStore.RecordOutcome.ENDPOINT_CHANGED;
import static dev.escapement.endpoints.store.EndpointStore.RecordOutcome.LEASE_LOST;
import static dev.escapement.endpoints.store.EndpointStore.RecordOutcome.RECORDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Contract of recording results and remediations. */
public abstract class RunRecordingContract extends EndpointStoreContract {

    @Test
    void recordsRunAndPlansNext() {
        create(newEndpoint("one", NOW));
        RunResult result = failureOf(claimOne());
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        StoredEndpoint stored = getStored("one");
        assertThat(stored.lease()).isEmpty();
        assertThat(stored.endpoint().nextRunNumber()).isEqualTo(2);
        assertThat(stored.endpoint().history()).isEqualTo(result.history());
        assertThat(stored.endpoint().nextRun()).isEqualTo(result.nextRun());
        assertThat(store().getRun("id-one", 1)).contains(result.run());
        assertThat(store().getRun("id-one", 2)).isEmpty();
        setNow(NOW.plusSeconds(60));
        EndpointClaim next = claimOne();
        assertThat(next.endpoint()).isEqualTo(stored.endpoint());
        assertThat(next.lease().attempt()).isEqualTo(1);
        assertThat(store().record(List.of(successOf(next)))).containsExactly(RECORDED);
        assertThat(getStored("one").endpoint().history().failures()).isZero();
    }

    @Test
    void acceptsResultOnlyFromLeaseHolder() {
        create(newEndpoint("one", NOW));
        EndpointClaim old = claimOne();
        setNow(old.lease().expiresAt());
        EndpointClaim holder = claimOne();
        assertThat(store().record(List.of(successOf(old)))).containsExactly(LEASE_LOST);
        assertThat(store().listRuns(RunFilter.ALL, "", 10).items()).isEmpty();
        assertThat(getStored("one").lease()).contains(holder.lease());
        assertThat(store().record(List.of(successOf(holder)))).containsExactly(RECORDED);
        assertThat(store().record(List.of(successOf(old)))).containsExactly(LEASE_LOST);
        assertThat(store().getRun("id-one", 1).orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void acceptsResultAfterExpiryIfNotReclaimed() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        setNow(claim.lease().expiresAt().plusSeconds(100));
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(RECORDED);
    }

    @Test
    void reportsChangeAfterExpiryAndUpdate() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        change("one", endpoint -> withChange(endpoint, plannedAt(NOW.plusSeconds(500))));
        setNow(claim.lease().expiresAt().plusSeconds(100));
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(ENDPOINT_CHANGED);
        assertThat(getStored("one").lease()).contains(claim.lease());
        assertThat(store().record(List.of(
                        successOf(withRevision(claim, getStored("one").revision())))))
                .containsExactly(RECORDED);
    }

    @Test
    void refusesResultAfterRelease() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        store().release(List.of(claim));
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(LEASE_LOST);
    }

    @Test
    void recordsRepeatedResultOnce() {
        create(newEndpoint("one", NOW));
        RunResult result = successOf(claimOne());
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(getStored("one").endpoint().nextRunNumber()).isEqualTo(2);
        setNow(NOW.plusSeconds(60));
        EndpointClaim next = claimOne();
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(getStored("one").lease()).contains(next.lease());
        assertThat(store().listRuns(RunFilter.ALL, "", 10).items()).containsExactly(result.run());
    }

    @Test
    void reportsChangeWhenEndpointWasUpdated() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        change("one", endpoint -> withChange(endpoint, plannedAt(NOW.plusSeconds(5))));
        StoredEndpoint changed = getStored("one");
        assertThat(changed.lease()).contains(claim.lease());
        assertThat(changed.endpoint().nextRun()).isEqualTo(plannedAt(NOW.plusSeconds(5)));
        assertThat(claim(1)).isEmpty();
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(ENDPOINT_CHANGED);
        assertThat(store().getRun("id-one", 1)).isEmpty();
        RunResult again = successOf(withRevision(claim, changed.revision()));
        assertThat(store().record(List.of(again))).containsExactly(RECORDED);
        assertThat(getStored("one").endpoint().nextRun()).isEqualTo(again.nextRun());
    }

    @Test
    void nextAttemptUsesUpdatedEndpoint() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        change("one", endpoint -> withChange(endpoint, plannedAt(NOW.plusSeconds(500))));
        setNow(claim.lease().expiresAt());
        assertThat(claim(1)).isEmpty();
        setNow(NOW.plusSeconds(500));
        EndpointClaim again = claimOne();
        assertThat(again.endpoint().nextRunNumber()).isEqualTo(1);
        assertThat(again.lease().attempt()).isEqualTo(2);
        assertThat(again.revision()).isGreaterThan(claim.revision());
    }

    @Test
    void recordsResultOfArchivedEndpoint() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        change("one", EndpointStoreContract::asArchived);
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(ENDPOINT_CHANGED);
        RunResult late = successOf(withRevision(claim, getStored("one").revision()));
        RunResult last = new RunResult(
                late.claim(), late.run(), late.history(), new PlannedRun(Optional.empty(), "ARCHIVED", "{}"), false);
        assertThat(store().record(List.of(last))).containsExactly(RECORDED);
        assertThat(store().getRun("id-one", 1)).contains(last.run());
        setNow(NOW.plusSeconds(1_000_000));
        assertThat(claim(1)).isEmpty();
    }

    @Test
    void returnsOutcomesInOrderOfResults() {
        create(newEndpoint("d", NOW), newEndpoint("b", NOW), newEndpoint("a", NOW), newEndpoint("c", NOW));
        List<EndpointClaim> claims = claim(4);
        change("b", endpoint -> withChange(endpoint, plannedAt(NOW.plusSeconds(5))));
        store().release(claims.subList(2, 3));
        EndpointClaim unknown = new EndpointClaim(
                newEndpoint("unknown", NOW), 1, "h", claims.get(0).lease());
        assertThat(namesOf(claims)).containsExactly("a", "b", "c", "d");
        assertThat(store().record(List.of(
                        successOf(claims.get(3)),
                        successOf(unknown),
                        successOf(claims.get(2)),
                        successOf(claims.get(1)),
                        failureOf(claims.get(0)))))
                .containsExactly(RECORDED, LEASE_LOST, LEASE_LOST, ENDPOINT_CHANGED, RECORDED);
        assertThat(store().record(List.of())).isEmpty();
    }

    @Test
    void recordsResultWithUnstorableText() {
        create(newEndpoint("bad", NOW), newEndpoint("good", NOW));
        List<EndpointClaim> claims = claim(2);
        RunResult bad = resultOf(
                claims.get(0),
                new CallResult(
                        Optional.of(CallResult.Failure.BAD_ANSWER),
                        Optional.empty(),
                        "half \uD800 and NUL \0 and \uDC00",
                        "'\"\\ \u0000\u0001 \uDBFF \uD83D\uDE00 \\u0000 ${x} %s ?",
                        Long.MAX_VALUE,
                        Optional.empty()),
                NOW);
        assertThat(store().record(List.of(bad, successOf(claims.get(1))))).containsExactly(RECORDED, RECORDED);
        CallResult answer = store().getRun("id-bad", 1).orElseThrow().callResult();
        assertThat(answer.failure()).contains(CallResult.Failure.BAD_ANSWER);
        assertThat(answer.excerpt()).contains("\uD83D\uDE00 \\u0000 ${x} %s ?");
    }

    @Test
    void dueRemediationIsClaimedByOneAtATime() {
        create(newEndpoint("one", NOW), newEndpoint("two", NOW));
        List<EndpointClaim> claims = claim(2);
        RunResult sick = failureOf(claims.get(0));
        store().record(List.of(
                new RunResult(sick.claim(), sick.run(), sick.history(), sick.nextRun(), true),
                failureOf(claims.get(1))));
        assertThat(store().claimDueRemediations(10)).containsExactly(getStored("one"));
        assertThat(store().claimDueRemediations(10)).isEmpty();
        setNow(NOW.plusSeconds(31));
        assertThat(store().claimDueRemediations(10)).containsExactly(getStored("one"));
        RemediationAttempt held = new RemediationAttempt(
                1, NOW, State.HELD_BACK, Optional.empty(), Optional.empty(), "cooling down", Optional.of(NOW));
        store().recordRemediation("id-one", held);
        assertThat(getStored("one").endpoint().lastRemediation()).contains(held);
        setNow(NOW.plusSeconds(100));
        assertThat(store().claimDueRemediations(10)).isEmpty();
    }

    @Test
    void runWithoutRemediationClearsDueRemediation() {
        create(newEndpoint("one", NOW));
        RunResult sick = failureOf(claimOne());
        store().record(List.of(new RunResult(sick.claim(), sick.run(), sick.history(), sick.nextRun(), true)));
        setNow(NOW.plusSeconds(60));
        store().record(List.of(successOf(claimOne())));
        assertThat(store().claimDueRemediations(10)).isEmpty();
    }

    @Test
    void requestedRemediationIsReplacedOnlyByLaterRun() {
        create(newEndpoint("one", NOW));
        assertThat(recordAndRead(attempt(3, State.HELD_BACK))).isEqualTo(attempt(3, State.HELD_BACK));
        assertThat(recordAndRead(attempt(3, State.REQUESTED))).isEqualTo(attempt(3, State.REQUESTED));
        assertThat(recordAndRead(attempt(3, State.REFUSED))).isEqualTo(attempt(3, State.REQUESTED));
        assertThat(recordAndRead(attempt(2, State.REQUESTED))).isEqualTo(attempt(3, State.REQUESTED));
        assertThat(recordAndRead(attempt(4, State.REFUSED))).isEqualTo(attempt(4, State.REFUSED));
        assertThat(recordAndRead(attempt(4, State.HELD_BACK))).isEqualTo(attempt(4, State.HELD_BACK));
        store().recordRemediation("nobody", attempt(4, State.REFUSED));
    }

    private RemediationAttempt recordAndRead(RemediationAttempt remedy) {
        store().recordRemediation("id-one", remedy);
        return getStored("one").endpoint().lastRemediation().orElseThrow();
    }

    private static RemediationAttempt attempt(long run, State state) {
        return new RemediationAttempt(
                run, NOW, state, Optional.of("heal-1"), Optional.empty(), "why \0 not", Optional.empty());
    }

    @Test
    void laterFailureKeepsRemediationDue() {
        create(newEndpoint("one", NOW));
        Instant slot = NOW;
        for (int number = 1; number <= 2; number++) {
            setNow(slot);
            RunResult sick = failureOf(claimOne());
            store().record(List.of(new RunResult(sick.claim(), sick.run(), sick.history(), sick.nextRun(), true)));
            slot = slot.plusSeconds(60);
        }
        store().recordRemediation("id-one", attempt(1, State.HELD_BACK));
        assertThat(store().claimDueRemediations(10))
                .extracting(StoredEndpoint::endpoint)
                .extracting(ScheduledEndpoint::id)
                .containsExactly("id-one");
    }
}
