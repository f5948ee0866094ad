package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.endpoints.store.EndpointStore.EndpointBacklog;
import dev.escapement.endpoints.store.EndpointStore.NextDue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of claiming, renewing and releasing endpoints. */
public abstract class EndpointClaimContract extends EndpointStoreContract {

    @Test
    void claimsOnlyWhatIsDue() {
        create(newEndpoint("due", NOW), newEndpoint("later", NOW.plusNanos(1_000_000)));
        assertThat(namesOf(claim(10))).containsExactly("due");
        assertThat(claim(10)).isEmpty();
        setNow(NOW.plusNanos(1_000_000));
        assertThat(namesOf(claim(10))).containsExactly("later");
    }

    @Test
    void claimContainsEndpointAndLease() {
        ScheduledEndpoint endpoint = newEndpoint("one", "Some.Example:8443", NOW.minusSeconds(1));
        create(endpoint);
        EndpointClaim claim = claimOne();
        assertThat(claim.endpoint()).isEqualTo(endpoint);
        assertThat(claim.host()).isEqualTo("some.example:8443");
        assertThat(claim.revision()).isEqualTo(getStored("one").revision());
        assertThat(claim.lease())
                .isEqualTo(new EndpointLease(
                        "worker", claim.lease().token(), NOW, NOW.plus(TIMEOUT).plus(MARGIN), 1));
        assertThat(getStored("one").lease()).contains(claim.lease());
        assertThat(getStored("one").attempts()).isOne();
        store().record(List.of(successOf(claim)));
        assertThat(getStored("one").attempts()).isZero();
    }

    @Test
    void claimsLongestDueFirst() {
        create(
                newEndpoint("c", NOW.minusSeconds(1)),
                newEndpoint("a", NOW.minusSeconds(3)),
                newEndpoint("d", NOW),
                newEndpoint("b", NOW.minusSeconds(2)));
        assertThat(namesOf(claim(2))).containsExactly("a", "b");
        assertThat(namesOf(claim(10))).containsExactly("c", "d");
    }

    @Test
    void respectsConcurrencyPerHost() {
        create(newEndpoints("x", "x.example", 10));
        create(newEndpoints("y", "y.example", 10));
        List<EndpointClaim> claims = store().claim(claimRequest(100, 4, Map.of("x.example:443", 3)));
        assertThat(claims)
                .filteredOn(claim -> claim.host().equals("x.example:443"))
                .hasSize(1);
        assertThat(claims)
                .filteredOn(claim -> claim.host().equals("y.example:443"))
                .hasSize(4);
    }

    @Test
    void fullHostDoesNotHideOthers() {
        create(newEndpoints("x", "x.example", 1_000));
        create(newEndpoint("other", NOW));
        assertThat(namesOf(store().claim(claimRequest(10, 4, Map.of("x.example:443", 4)))))
                .containsExactly("other");
        assertThat(store().claim(claimRequest(10, 4, Map.of("x.example:443", 9))))
                .isEmpty();
    }

    @Test
    void claimsMoreThanOneThousandAtOnce() {
        create(newEndpoints("x", "x.example", 1_500));
        assertThat(store().claim(claimRequest(1_400, 5_000, NO_CALLS))).hasSize(1_400);
        assertThat(store().claim(claimRequest(1_400, 5_000, NO_CALLS))).hasSize(100);
    }

    /** Returns an endpoint that became due a second before {@link #NOW}. */
    private static ScheduledEndpoint[] newEndpoints(String name, String host, int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> newEndpoint(name + i, host, NOW.minusSeconds(1)))
                .toArray(ScheduledEndpoint[]::new);
    }

    @Test
    void expiredLeaseIsClaimedAsNextAttemptOfSameRun() {
        create(newEndpoint("one", NOW));
        EndpointClaim first = claimOne();
        Instant end = first.lease().expiresAt();
        setNow(end.minusNanos(1_000));
        assertThat(claim(1)).isEmpty();
        setNow(end);
        assertThat(getStored("one").lease()).contains(first.lease());
        EndpointClaim second = claimOne();
        assertThat(second.endpoint().runId()).isEqualTo(first.endpoint().runId());
        assertThat(second.endpoint().nextRun()).isEqualTo(first.endpoint().nextRun());
        assertThat(second.lease().attempt()).isEqualTo(2);
        assertThat(second.lease().token()).isNotEqualTo(first.lease().token());
    }

    @Test
    void ordersExpiredLeasesByExpiry() {
        create(newEndpoint("lapsed", NOW.minusSeconds(100)));
        EndpointClaim claim = claimOne();
        create(newEndpoint("older", NOW.plusSeconds(1)), newEndpoint("newer", NOW.plusSeconds(20)));
        setNow(claim.lease().expiresAt().plusSeconds(60));
        assertThat(namesOf(claim(10))).containsExactly("older", "lapsed", "newer");
    }

    @Test
    void renewsHeldLeasesOnly() {
        create(newEndpoint("kept", NOW), newEndpoint("lost", NOW.plusSeconds(1)));
        setNow(NOW.plusSeconds(1));
        List<EndpointClaim> claims = claim(2);
        setNow(NOW.plusSeconds(5));
        store().release(claims.subList(1, 2));
        StoredEndpoint before = getStored("kept");
        Instant end = NOW.plusSeconds(5).plus(TIMEOUT).plusSeconds(1);
        assertThat(store().renew(claims, java.time.Duration.ofSeconds(1)))
                .containsExactlyEntriesOf(Map.of("id-kept", end));
        assertThat(getStored("kept").lease().orElseThrow().expiresAt()).isEqualTo(end);
        assertThat(getStored("kept").version()).isEqualTo(before.version());
        setNow(end.minusNanos(1_000));
        assertThat(namesOf(claim(2))).containsExactly("lost");
        setNow(end);
        assertThat(namesOf(claim(2))).containsExactly("kept");
        assertThat(store().renew(claims, MARGIN)).isEmpty();
        assertThat(store().renew(List.of(), MARGIN)).isEmpty();
    }

    @Test
    void renewalNeverShortensLease() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        Instant end = claim.lease().expiresAt();
        change("one", endpoint -> withChange(endpoint, TIMEOUT.dividedBy(10)));
        setNow(NOW.plusSeconds(1));
        assertThat(store().renew(List.of(claim), MARGIN)).isEqualTo(Map.of("id-one", end));
        assertThat(getStored("one").lease().orElseThrow().expiresAt()).isEqualTo(end);
        change("one", endpoint -> withChange(endpoint, TIMEOUT.multipliedBy(10)));
        Instant later = NOW.plusSeconds(1).plus(TIMEOUT.multipliedBy(10)).plus(MARGIN);
        assertThat(store().renew(List.of(claim), MARGIN)).isEqualTo(Map.of("id-one", later));
    }

    @Test
    void releasedEndpointIsClaimableAndKeepsAttempts() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        store().release(List.of(claim));
        assertThat(getStored("one").lease()).isEmpty();
        assertThat(getStored("one").attempts()).isOne();
        EndpointClaim again = claimOne();
        assertThat(again.lease().attempt()).isEqualTo(2);
        assertThat(again.endpoint()).isEqualTo(claim.endpoint());
        store().release(List.of(claim));
        assertThat(getStored("one").lease()).contains(again.lease());
    }

    @Test
    void nextDueIsEarliestSlotOrLeaseExpiry() {
        assertThat(store().nextDue(Set.of())).isEqualTo(new NextDue(NOW, Optional.empty()));
        create(newEndpoint("x", "x.example", NOW), newEndpoint("y", "y.example", NOW.plusSeconds(70)));
        create(withChange(newEndpoint("never", NOW), new PlannedRun(Optional.empty(), "PAUSED", "{}")));
        assertThat(store().nextDue(Set.of()).dueAt()).contains(NOW);
        assertThat(store().nextDue(Set.of("x.example:443")).dueAt()).contains(NOW.plusSeconds(70));
        assertThat(store().nextDue(Set.of("x.example:443", "y.example:443")).dueAt())
                .isEmpty();
        EndpointClaim claim = claimOne();
        setNow(NOW.plusSeconds(1));
        assertThat(store().nextDue(Set.of()))
                .isEqualTo(new NextDue(
                        NOW.plusSeconds(1), Optional.of(claim.lease().expiresAt())));
    }

    @Test
    void listsHostsWithClaimableEndpoints() {
        create(newEndpoint("x", "x.example", NOW), newEndpoint("y", "y.example", NOW.plusSeconds(70)));
        create(asArchived(newEndpoint("z", "z.example", NOW)), newEndpoint("other", "other.example", NOW));
        Set<String> hosts = Set.of("x.example:443", "y.example:443", "z.example:443");
        assertThat(store().dueHosts(hosts)).containsExactly("x.example:443");
        assertThat(store().dueHosts(Set.of())).isEmpty();
        assertThat(claim(2)).hasSize(2);
        assertThat(store().dueHosts(hosts)).isEmpty();
        setNow(NOW.plusSeconds(70));
        assertThat(store().dueHosts(hosts)).containsExactlyInAnyOrder("x.example:443", "y.example:443");
    }

    @Test
    void usesClockOfStore() {
        setNow(NOW.plusSeconds(9));
        store().nextDue(Set.of());
        assertThat(store().clock().instant()).isEqualTo(NOW.plusSeconds(9));
        create(newEndpoint("one", NOW));
        setNow(NOW.plusSeconds(10));
        claimOne();
        assertThat(store().clock().instant()).isEqualTo(NOW.plusSeconds(10));
    }

    @Test
    void doesNotClaimUnplannedOrArchivedEndpoints() {
        create(
                withChange(newEndpoint("never", NOW), new PlannedRun(Optional.empty(), "PAUSED", "{}")),
                asArchived(newEndpoint("gone", NOW)),
                withChange(asArchived(newEndpoint("gone and planned", NOW)), plannedAt(NOW)));
        setNow(NOW.plusSeconds(1_000_000));
        assertThat(claim(10)).isEmpty();
        assertThat(getStored("never").endpoint().nextRun().at()).isEmpty();
        assertThat(store().nextDue(Set.of()).dueAt()).isEmpty();
    }

    @Test
    void backlogCountsWaitingAndClaimed() {
        create(
                newEndpoint("a", NOW),
                newEndpoint("b", NOW),
                newEndpoint("c", NOW),
                newEndpoint("d", NOW.plusSeconds(99)));
        create(asArchived(newEndpoint("e", NOW)));
        assertThat(store().backlog()).isEqualTo(new EndpointBacklog(4, 3, 0));
        EndpointClaim claim = claimOne();
        assertThat(store().backlog()).isEqualTo(new EndpointBacklog(4, 2, 1));
        setNow(claim.lease().expiresAt());
        assertThat(store().backlog()).isEqualTo(new EndpointBacklog(4, 3, 0));
    }
}
