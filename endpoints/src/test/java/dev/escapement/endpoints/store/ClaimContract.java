package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planned;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What can be claimed, when, by whom and how much of it. */
public abstract class ClaimContract extends EndpointStoreContract {

    @Test
    void whatIsDueIsClaimedAndWhatIsNotDueIsNot() {
        create(endpoint("due", NOW), endpoint("later", NOW.plusNanos(1_000_000)));
        assertThat(names(claim(10))).containsExactly("due");
        assertThat(claim(10)).isEmpty();
        now(NOW.plusNanos(1_000_000));
        assertThat(names(claim(10))).containsExactly("later");
    }

    @Test
    void aClaimHasEverythingThatARunNeeds() {
        Endpoint endpoint = endpoint("one", "Some.Example:8443", NOW.minusSeconds(1));
        create(endpoint);
        Claim claim = claimOne();
        assertThat(claim.endpoint()).isEqualTo(endpoint);
        assertThat(claim.host()).isEqualTo("some.example:8443");
        assertThat(claim.revision()).isEqualTo(stored("one").revision());
        assertThat(claim.lease())
                .isEqualTo(new Lease(
                        "worker", claim.lease().token(), NOW, NOW.plus(TIMEOUT).plus(MARGIN), 1));
        assertThat(stored("one").lease()).contains(claim.lease());
        assertThat(stored("one").attempts()).isOne();
        store().record(List.of(success(claim)));
        assertThat(stored("one").attempts()).isZero();
    }

    @Test
    void theLongestDueComeFirst() {
        create(
                endpoint("c", NOW.minusSeconds(1)),
                endpoint("a", NOW.minusSeconds(3)),
                endpoint("d", NOW),
                endpoint("b", NOW.minusSeconds(2)));
        assertThat(names(claim(2))).containsExactly("a", "b");
        assertThat(names(claim(10))).containsExactly("c", "d");
    }

    @Test
    void neverMoreOfAHostThanItHasRoomFor() {
        create(many("x", "x.example", 10));
        create(many("y", "y.example", 10));
        List<Claim> claims = store().claim(demand(100, 4, Map.of("x.example:443", 3)));
        assertThat(claims)
                .filteredOn(claim -> claim.host().equals("x.example:443"))
                .hasSize(1);
        assertThat(claims)
                .filteredOn(claim -> claim.host().equals("y.example:443"))
                .hasSize(4);
    }

    @Test
    void aBusyHostWithAThousandDueHidesNobody() {
        create(many("x", "x.example", 1_000));
        create(endpoint("other", NOW));
        assertThat(names(store().claim(demand(10, 4, Map.of("x.example:443", 4)))))
                .containsExactly("other");
        assertThat(store().claim(demand(10, 4, Map.of("x.example:443", 9)))).isEmpty();
    }

    @Test
    void moreThanAThousandAreClaimedAtOnceIfThereIsRoom() {
        create(many("x", "x.example", 1_500));
        assertThat(store().claim(demand(1_400, 5_000, NOBODY))).hasSize(1_400);
        assertThat(store().claim(demand(1_400, 5_000, NOBODY))).hasSize(100);
    }

    /** Due a second before the tests begin. */
    private static Endpoint[] many(String name, String host, int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> endpoint(name + i, host, NOW.minusSeconds(1)))
                .toArray(Endpoint[]::new);
    }

    @Test
    void aLapsedLeaseIsClaimedAgainAsTheNextAttemptAtTheSameRun() {
        create(endpoint("one", NOW));
        Claim first = claimOne();
        Instant end = first.lease().until();
        now(end.minusNanos(1_000));
        assertThat(claim(1)).isEmpty();
        now(end);
        assertThat(stored("one").lease()).contains(first.lease());
        Claim second = claimOne();
        assertThat(second.endpoint().occurrence()).isEqualTo(first.endpoint().occurrence());
        assertThat(second.endpoint().planned()).isEqualTo(first.endpoint().planned());
        assertThat(second.lease().attempt()).isEqualTo(2);
        assertThat(second.lease().token()).isNotEqualTo(first.lease().token());
    }

    @Test
    void aLapsedLeaseTakesItsPlaceByWhenItLapsed() {
        create(endpoint("lapsed", NOW.minusSeconds(100)));
        Claim claim = claimOne();
        create(endpoint("older", NOW.plusSeconds(1)), endpoint("newer", NOW.plusSeconds(20)));
        now(claim.lease().until().plusSeconds(60));
        assertThat(names(claim(10))).containsExactly("older", "lapsed", "newer");
    }

    @Test
    void renewedLeasesLastLongerAndLostOnesStayLost() {
        create(endpoint("kept", NOW), endpoint("lost", NOW.plusSeconds(1)));
        now(NOW.plusSeconds(1));
        List<Claim> claims = claim(2);
        now(NOW.plusSeconds(5));
        store().release(claims.subList(1, 2));
        Stored before = stored("kept");
        Instant end = NOW.plusSeconds(5).plus(TIMEOUT).plusSeconds(1);
        assertThat(store().renew(claims, java.time.Duration.ofSeconds(1)))
                .containsExactlyEntriesOf(Map.of("id-kept", end));
        assertThat(stored("kept").lease().orElseThrow().until()).isEqualTo(end);
        assertThat(stored("kept").version()).isEqualTo(before.version());
        now(end.minusNanos(1_000));
        assertThat(names(claim(2))).containsExactly("lost");
        now(end);
        assertThat(names(claim(2))).containsExactly("kept");
        assertThat(store().renew(claims, MARGIN)).isEmpty();
        assertThat(store().renew(List.of(), MARGIN)).isEmpty();
    }

    @Test
    void aRenewalNeverShortensALeaseThoughTheTimeoutIsShorterNow() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        Instant end = claim.lease().until();
        change("one", endpoint -> with(endpoint, TIMEOUT.dividedBy(10)));
        now(NOW.plusSeconds(1));
        assertThat(store().renew(List.of(claim), MARGIN)).isEqualTo(Map.of("id-one", end));
        assertThat(stored("one").lease().orElseThrow().until()).isEqualTo(end);
        change("one", endpoint -> with(endpoint, TIMEOUT.multipliedBy(10)));
        Instant later = NOW.plusSeconds(1).plus(TIMEOUT.multipliedBy(10)).plus(MARGIN);
        assertThat(store().renew(List.of(claim), MARGIN)).isEqualTo(Map.of("id-one", later));
    }

    @Test
    void aReleasedEndpointIsClaimedAtOnceAndItsAttemptsStayCounted() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        store().release(List.of(claim));
        assertThat(stored("one").lease()).isEmpty();
        assertThat(stored("one").attempts()).isOne();
        Claim again = claimOne();
        assertThat(again.lease().attempt()).isEqualTo(2);
        assertThat(again.endpoint()).isEqualTo(claim.endpoint());
        store().release(List.of(claim));
        assertThat(stored("one").lease()).contains(again.lease());
    }

    @Test
    void nextDueIsTheEarliestSlotOrEndOfALease() {
        assertThat(store().nextDue(Set.of())).isEqualTo(new Due(NOW, Optional.empty()));
        create(endpoint("x", "x.example", NOW), endpoint("y", "y.example", NOW.plusSeconds(70)));
        create(with(endpoint("never", NOW), new Planned(Optional.empty(), "PAUSED", "{}")));
        assertThat(store().nextDue(Set.of()).at()).contains(NOW);
        assertThat(store().nextDue(Set.of("x.example:443")).at()).contains(NOW.plusSeconds(70));
        assertThat(store().nextDue(Set.of("x.example:443", "y.example:443")).at())
                .isEmpty();
        Claim claim = claimOne();
        now(NOW.plusSeconds(1));
        assertThat(store().nextDue(Set.of()))
                .isEqualTo(new Due(NOW.plusSeconds(1), Optional.of(claim.lease().until())));
    }

    @Test
    void hostsAreToldOfWhichSomethingCanBeClaimed() {
        create(endpoint("x", "x.example", NOW), endpoint("y", "y.example", NOW.plusSeconds(70)));
        create(archived(endpoint("z", "z.example", NOW)), endpoint("other", "other.example", NOW));
        Set<String> hosts = Set.of("x.example:443", "y.example:443", "z.example:443");
        assertThat(store().due(hosts)).containsExactly("x.example:443");
        assertThat(store().due(Set.of())).isEmpty();
        assertThat(claim(2)).hasSize(2);
        assertThat(store().due(hosts)).isEmpty();
        now(NOW.plusSeconds(70));
        assertThat(store().due(hosts)).containsExactlyInAnyOrder("x.example:443", "y.example:443");
    }

    @Test
    void theClockIsTheStores() {
        now(NOW.plusSeconds(9));
        store().nextDue(Set.of());
        assertThat(store().clock().instant()).isEqualTo(NOW.plusSeconds(9));
        create(endpoint("one", NOW));
        now(NOW.plusSeconds(10));
        claimOne();
        assertThat(store().clock().instant()).isEqualTo(NOW.plusSeconds(10));
    }

    @Test
    void whatNeverRunsOrIsArchivedIsNotClaimed() {
        create(
                with(endpoint("never", NOW), new Planned(Optional.empty(), "PAUSED", "{}")),
                archived(endpoint("gone", NOW)),
                with(archived(endpoint("gone and planned", NOW)), planned(NOW)));
        now(NOW.plusSeconds(1_000_000));
        assertThat(claim(10)).isEmpty();
        assertThat(stored("never").endpoint().planned().at()).isEmpty();
        assertThat(store().nextDue(Set.of()).at()).isEmpty();
    }

    @Test
    void theBacklogCountsWhatWaitsAndWhatRuns() {
        create(endpoint("a", NOW), endpoint("b", NOW), endpoint("c", NOW), endpoint("d", NOW.plusSeconds(99)));
        create(archived(endpoint("e", NOW)));
        assertThat(store().backlog()).isEqualTo(new Backlog(4, 3, 0));
        Claim claim = claimOne();
        assertThat(store().backlog()).isEqualTo(new Backlog(4, 2, 1));
        now(claim.lease().until());
        assertThat(store().backlog()).isEqualTo(new Backlog(4, 3, 0));
    }
}
