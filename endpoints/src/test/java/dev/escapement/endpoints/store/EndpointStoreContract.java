package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;

/** Base of the contract tests of {@link EndpointStore}: helpers and sample data. */
public abstract class EndpointStoreContract {

    /** Start time of all tests. */
    protected static final Instant NOW = Instant.parse("2026-03-01T12:00:00.000123Z");

    protected static final Duration TIMEOUT = Duration.ofSeconds(10);
    protected static final Duration MARGIN = Duration.ofSeconds(5);
    protected static final Map<String, Integer> NO_CALLS = Map.of();

    private final AtomicInteger tokenSequence = new AtomicInteger();

    protected abstract StoreFixture fixture();

    @BeforeEach
    void resetClock() {
        setNow(NOW);
    }

    protected EndpointStore store() {
        return fixture().store();
    }

    protected void setNow(Instant now) {
        fixture().setNow(now);
    }

    protected static ScheduledEndpoint newEndpoint(String name, Instant slot) {
        return newEndpoint(name, "host-of-" + name, slot);
    }

    protected static ScheduledEndpoint newEndpoint(String name, String host, Instant slot) {
        EndpointDefinition definition = new EndpointDefinition(
                name,
                "",
                new CallRequest(
                        "https://" + host + "/path?key=secret",
                        Method.POST,
                        Map.of("X-One", "1"),
                        "{}",
                        TIMEOUT,
                        Optional.empty()),
                new FixedInterval(Duration.ofMinutes(1)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new ScheduledEndpoint(
                "id-" + name,
                NOW.minusSeconds(3600),
                definition,
                EndpointOverrides.NONE,
                RunHistory.initial(NOW.minusSeconds(3600)),
                1,
                plannedAt(slot),
                Optional.empty());
    }

    protected static PlannedRun plannedAt(Instant slot) {
        return new PlannedRun(Optional.of(slot), "BASELINE", "{\"at\":\"" + slot + "\"}");
    }

    protected void create(ScheduledEndpoint... endpoints) {
        assertThat(store().apply(Arrays.stream(endpoints)
                        .<EndpointChange>map(EndpointChange.Create::new)
                        .toList()))
                .isTrue();
    }

    /** Reads an endpoint and updates it, like a user. */
    protected void change(String name, UnaryOperator<ScheduledEndpoint> change) {
        StoredEndpoint seen = getStored(name);
        assertThat(store().apply(List.of(new EndpointChange.Update(seen, change.apply(seen.endpoint())))))
                .isTrue();
    }

    protected static ScheduledEndpoint withChange(ScheduledEndpoint endpoint, EndpointOverrides overrides) {
        return endpoint.withChanges(endpoint.definition(), overrides, endpoint.history(), endpoint.nextRun());
    }

    protected static ScheduledEndpoint withChange(ScheduledEndpoint endpoint, Duration timeout) {
        EndpointDefinition old = endpoint.definition();
        CallRequest call = old.call();
        EndpointDefinition definition = new EndpointDefinition(
                old.name(),
                old.description(),
                new CallRequest(call.url(), call.method(), call.headers(), call.body(), timeout, call.signingKey()),
                old.baseline(),
                old.minInterval(),
                old.maxInterval(),
                old.remediation());
        return endpoint.withChanges(definition, endpoint.overrides(), endpoint.history(), endpoint.nextRun());
    }

    protected static ScheduledEndpoint withChange(ScheduledEndpoint endpoint, PlannedRun planned) {
        return endpoint.withChanges(endpoint.definition(), endpoint.overrides(), endpoint.history(), planned);
    }

    protected static ScheduledEndpoint asArchived(ScheduledEndpoint endpoint) {
        return endpoint.withChanges(
                endpoint.definition(),
                endpoint.overrides().archive(),
                endpoint.history(),
                new PlannedRun(Optional.empty(), "ARCHIVED", "{}"));
    }

    protected StoredEndpoint getStored(String name) {
        return store().get("id-" + name).orElseThrow();
    }

    protected ClaimRequest claimRequest(int limit, int perHost, Map<String, Integer> busy) {
        return new ClaimRequest("worker", "token-" + tokenSequence.incrementAndGet(), limit, perHost, busy, MARGIN);
    }

    protected List<EndpointClaim> claim(int limit) {
        return store().claim(claimRequest(limit, 1000, NO_CALLS));
    }

    protected EndpointClaim claimOne() {
        List<EndpointClaim> claims = claim(1);
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    protected static List<String> namesOf(List<EndpointClaim> claims) {
        return claims.stream()
                .map(claim -> claim.endpoint().definition().name())
                .toList();
    }

    /** Returns a success; the next run is a minute after the slot. */
    protected static RunResult successOf(EndpointClaim claim) {
        return resultOf(
                claim,
                new CallResult(Optional.empty(), Optional.of(200), "", "fine", 4, Optional.empty()),
                slotOf(claim));
    }

    protected static RunResult failureOf(EndpointClaim claim) {
        return resultOf(
                claim,
                new CallResult(
                        Optional.of(CallResult.Failure.STATUS),
                        Optional.of(503),
                        "status 503",
                        "busy",
                        4,
                        Optional.of(Duration.ofSeconds(7))),
                slotOf(claim));
    }

    protected static RunResult resultOf(EndpointClaim claim, CallResult answer, Instant endedAt) {
        ScheduledEndpoint endpoint = claim.endpoint();
        Instant slot = slotOf(claim);
        RunHistory history = answer.isSuccess()
                ? endpoint.history().withSuccess(slot, endedAt)
                : endpoint.history().withFailure(slot, endedAt, answer.retryAfter());
        FinishedRun run = new FinishedRun(
                endpoint.id(),
                endpoint.definition().name(),
                endpoint.nextRunNumber(),
                claim.lease().attempt(),
                slot,
                slot,
                slot,
                endedAt,
                claim.lease().workerName(),
                endpoint.nextRun().source(),
                endpoint.nextRun().planJson(),
                endpoint.history().failures(),
                history.failures(),
                answer,
                2,
                "the machine slept");
        return new RunResult(claim, run, history, plannedAt(slot.plusSeconds(60)), false);
    }

    protected static Instant slotOf(EndpointClaim claim) {
        return claim.endpoint().nextRun().at().orElseThrow();
    }

    protected static EndpointClaim withRevision(EndpointClaim claim, long revision) {
        return new EndpointClaim(claim.endpoint(), revision, claim.host(), claim.lease());
    }
}
