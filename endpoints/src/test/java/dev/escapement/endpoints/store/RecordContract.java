package dev.escapement.endpoints.store;

import static dev.escapement.endpoints.store.Verdict.CHANGED;
import static dev.escapement.endpoints.store.Verdict.LOST;
import static dev.escapement.endpoints.store.Verdict.RECORDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planned;
import dev.escapement.endpoints.Remedy;
import dev.escapement.endpoints.Remedy.State;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of results, and of the remediations that they call for. */
public abstract class RecordContract extends EndpointStoreContract {

    @Test
    void aResultIsInTheHistoryAndTheNextRunIsPlanned() {
        create(endpoint("one", NOW));
        Result result = failure(claimOne());
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        Stored stored = stored("one");
        assertThat(stored.lease()).isEmpty();
        assertThat(stored.endpoint().number()).isEqualTo(2);
        assertThat(stored.endpoint().history()).isEqualTo(result.history());
        assertThat(stored.endpoint().planned()).isEqualTo(result.next());
        assertThat(store().run("id-one", 1)).contains(result.run());
        assertThat(store().run("id-one", 2)).isEmpty();
        now(NOW.plusSeconds(60));
        Claim next = claimOne();
        assertThat(next.endpoint()).isEqualTo(stored.endpoint());
        assertThat(next.lease().attempt()).isEqualTo(1);
        assertThat(store().record(List.of(success(next)))).containsExactly(RECORDED);
        assertThat(stored("one").endpoint().history().failures()).isZero();
    }

    @Test
    void onlyTheHolderOfTheLeaseIsHeard() {
        create(endpoint("one", NOW));
        Claim old = claimOne();
        now(old.lease().until());
        Claim holder = claimOne();
        assertThat(store().record(List.of(success(old)))).containsExactly(LOST);
        assertThat(store().runs(RunFilter.ALL, "", 10).items()).isEmpty();
        assertThat(stored("one").lease()).contains(holder.lease());
        assertThat(store().record(List.of(success(holder)))).containsExactly(RECORDED);
        assertThat(store().record(List.of(success(old)))).containsExactly(LOST);
        assertThat(store().run("id-one", 1).orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void aLeaseThatLapsedAndThatNobodyTookIsStillItsHolders() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        now(claim.lease().until().plusSeconds(100));
        assertThat(store().record(List.of(success(claim)))).containsExactly(RECORDED);
    }

    @Test
    void aResultThatCameAfterALapseAndAChangeIsPlannedAnew() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        change("one", endpoint -> with(endpoint, planned(NOW.plusSeconds(500))));
        now(claim.lease().until().plusSeconds(100));
        assertThat(store().record(List.of(success(claim)))).containsExactly(CHANGED);
        assertThat(stored("one").lease()).contains(claim.lease());
        assertThat(store().record(List.of(success(at(claim, stored("one").revision())))))
                .containsExactly(RECORDED);
    }

    @Test
    void whoReleasedIsNotHeard() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        store().release(List.of(claim));
        assertThat(store().record(List.of(success(claim)))).containsExactly(LOST);
    }

    @Test
    void aResultThatIsToldTwiceIsRecordedOnce() {
        create(endpoint("one", NOW));
        Result result = success(claimOne());
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(stored("one").endpoint().number()).isEqualTo(2);
        now(NOW.plusSeconds(60));
        Claim next = claimOne();
        assertThat(store().record(List.of(result))).containsExactly(RECORDED);
        assertThat(stored("one").lease()).contains(next.lease());
        assertThat(store().runs(RunFilter.ALL, "", 10).items()).containsExactly(result.run());
    }

    @Test
    void aResultIsPlannedAnewAfterPeopleChangedTheEndpoint() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        change("one", endpoint -> with(endpoint, planned(NOW.plusSeconds(5))));
        Stored changed = stored("one");
        assertThat(changed.lease()).contains(claim.lease());
        assertThat(changed.endpoint().planned()).isEqualTo(planned(NOW.plusSeconds(5)));
        assertThat(claim(1)).isEmpty();
        assertThat(store().record(List.of(success(claim)))).containsExactly(CHANGED);
        assertThat(store().run("id-one", 1)).isEmpty();
        Result again = success(at(claim, changed.revision()));
        assertThat(store().record(List.of(again))).containsExactly(RECORDED);
        assertThat(stored("one").endpoint().planned()).isEqualTo(again.next());
    }

    @Test
    void whatPeopleChangedIsWhatTheNextAttemptGets() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        change("one", endpoint -> with(endpoint, planned(NOW.plusSeconds(500))));
        now(claim.lease().until());
        assertThat(claim(1)).isEmpty();
        now(NOW.plusSeconds(500));
        Claim again = claimOne();
        assertThat(again.endpoint().number()).isEqualTo(1);
        assertThat(again.lease().attempt()).isEqualTo(2);
        assertThat(again.revision()).isGreaterThan(claim.revision());
    }

    @Test
    void theResultOfAnEndpointThatWasArchivedMeanwhileIsRecorded() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        change("one", EndpointStoreContract::archived);
        assertThat(store().record(List.of(success(claim)))).containsExactly(CHANGED);
        Result late = success(at(claim, stored("one").revision()));
        Result last = new Result(
                late.claim(), late.run(), late.history(), new Planned(Optional.empty(), "ARCHIVED", "{}"), false);
        assertThat(store().record(List.of(last))).containsExactly(RECORDED);
        assertThat(store().run("id-one", 1)).contains(last.run());
        now(NOW.plusSeconds(1_000_000));
        assertThat(claim(1)).isEmpty();
    }

    @Test
    void verdictsComeInTheOrderOfTheResultsAndEachForItself() {
        create(endpoint("d", NOW), endpoint("b", NOW), endpoint("a", NOW), endpoint("c", NOW));
        List<Claim> claims = claim(4);
        change("b", endpoint -> with(endpoint, planned(NOW.plusSeconds(5))));
        store().release(claims.subList(2, 3));
        Claim unknown =
                new Claim(endpoint("unknown", NOW), 1, "h", claims.get(0).lease());
        assertThat(names(claims)).containsExactly("a", "b", "c", "d");
        assertThat(store().record(List.of(
                        success(claims.get(3)),
                        success(unknown),
                        success(claims.get(2)),
                        success(claims.get(1)),
                        failure(claims.get(0)))))
                .containsExactly(RECORDED, LOST, LOST, CHANGED, RECORDED);
        assertThat(store().record(List.of())).isEmpty();
    }

    @Test
    void textThatDatabasesHateHurtsNobody() {
        create(endpoint("bad", NOW), endpoint("good", NOW));
        List<Claim> claims = claim(2);
        Result bad = result(
                claims.get(0),
                new Answer(
                        Optional.of(Answer.Failure.BAD_ANSWER),
                        Optional.empty(),
                        "half \uD800 and NUL \0 and \uDC00",
                        "'\"\\ \u0000\u0001 \uDBFF \uD83D\uDE00 \\u0000 ${x} %s ?",
                        Long.MAX_VALUE,
                        Optional.empty()),
                NOW);
        assertThat(store().record(List.of(bad, success(claims.get(1))))).containsExactly(RECORDED, RECORDED);
        Answer answer = store().run("id-bad", 1).orElseThrow().answer();
        assertThat(answer.failure()).contains(Answer.Failure.BAD_ANSWER);
        assertThat(answer.excerpt()).contains("\uD83D\uDE00 \\u0000 ${x} %s ?");
    }

    @Test
    void aRemediationThatIsDueIsToldToOneAtATime() {
        create(endpoint("one", NOW), endpoint("two", NOW));
        List<Claim> claims = claim(2);
        Result sick = failure(claims.get(0));
        store().record(List.of(
                new Result(sick.claim(), sick.run(), sick.history(), sick.next(), true), failure(claims.get(1))));
        assertThat(store().remediesDue(10)).containsExactly(stored("one"));
        assertThat(store().remediesDue(10)).isEmpty();
        now(NOW.plusSeconds(31));
        assertThat(store().remediesDue(10)).containsExactly(stored("one"));
        Remedy held = new Remedy(1, NOW, State.HELD_BACK, Optional.empty(), "cooling down", Optional.of(NOW));
        store().settle("id-one", held);
        assertThat(stored("one").endpoint().remedy()).contains(held);
        now(NOW.plusSeconds(100));
        assertThat(store().remediesDue(10)).isEmpty();
    }

    @Test
    void aRunThatCallsForNoRemediationEndsWhatWasDue() {
        create(endpoint("one", NOW));
        Result sick = failure(claimOne());
        store().record(List.of(new Result(sick.claim(), sick.run(), sick.history(), sick.next(), true)));
        now(NOW.plusSeconds(60));
        store().record(List.of(success(claimOne())));
        assertThat(store().remediesDue(10)).isEmpty();
    }

    @Test
    void aRequestedRemedyStandsUntilALaterRunBringsAnother() {
        create(endpoint("one", NOW));
        assertThat(settled(remedy(3, State.HELD_BACK))).isEqualTo(remedy(3, State.HELD_BACK));
        assertThat(settled(remedy(3, State.REQUESTED))).isEqualTo(remedy(3, State.REQUESTED));
        assertThat(settled(remedy(3, State.REFUSED))).isEqualTo(remedy(3, State.REQUESTED));
        assertThat(settled(remedy(2, State.REQUESTED))).isEqualTo(remedy(3, State.REQUESTED));
        assertThat(settled(remedy(4, State.REFUSED))).isEqualTo(remedy(4, State.REFUSED));
        assertThat(settled(remedy(4, State.HELD_BACK))).isEqualTo(remedy(4, State.HELD_BACK));
        store().settle("nobody", remedy(4, State.REFUSED));
    }

    private Remedy settled(Remedy remedy) {
        store().settle("id-one", remedy);
        return stored("one").endpoint().remedy().orElseThrow();
    }

    private static Remedy remedy(long run, State state) {
        return new Remedy(run, NOW, state, Optional.of("heal-1"), "why \0 not", Optional.empty());
    }

    @Test
    void aRunThatFailsWhileARemedyIsAskedForCallsForTheNext() {
        create(endpoint("one", NOW));
        Instant slot = NOW;
        for (int number = 1; number <= 2; number++) {
            now(slot);
            Result sick = failure(claimOne());
            store().record(List.of(new Result(sick.claim(), sick.run(), sick.history(), sick.next(), true)));
            slot = slot.plusSeconds(60);
        }
        store().settle("id-one", remedy(1, State.HELD_BACK));
        assertThat(store().remediesDue(10))
                .extracting(Stored::endpoint)
                .extracting(Endpoint::id)
                .containsExactly("id-one");
    }
}
