package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planned;
import dev.escapement.endpoints.Steering;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.call.Call.Method;
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

/** What every store of endpoints must do, and what its tests are made of. */
public abstract class EndpointStoreContract {

    /** When tests begin. */
    protected static final Instant NOW = Instant.parse("2026-03-01T12:00:00.000123Z");

    protected static final Duration TIMEOUT = Duration.ofSeconds(10);
    protected static final Duration MARGIN = Duration.ofSeconds(5);
    protected static final Map<String, Integer> NOBODY = Map.of();

    private final AtomicInteger tokens = new AtomicInteger();

    /** The world of this test. */
    protected abstract StoreWorld world();

    @BeforeEach
    void begin() {
        now(NOW);
    }

    protected EndpointStore store() {
        return world().store();
    }

    protected void now(Instant now) {
        world().setNow(now);
    }

    protected static Endpoint endpoint(String name, Instant slot) {
        return endpoint(name, "host-of-" + name, slot);
    }

    protected static Endpoint endpoint(String name, String host, Instant slot) {
        Definition definition = new Definition(
                name,
                "",
                "https://" + host + "/path?key=secret",
                Method.POST,
                Map.of("X-One", "1"),
                "{}",
                TIMEOUT,
                Optional.empty(),
                new FixedInterval(Duration.ofMinutes(1)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Endpoint(
                "id-" + name,
                NOW.minusSeconds(3600),
                definition,
                Steering.NONE,
                RunHistory.initial(NOW.minusSeconds(3600)),
                1,
                planned(slot),
                Optional.empty());
    }

    protected static Planned planned(Instant slot) {
        return new Planned(Optional.of(slot), "BASELINE", "{\"at\":\"" + slot + "\"}");
    }

    protected void create(Endpoint... endpoints) {
        assertThat(store().apply(Arrays.stream(endpoints)
                        .<Write>map(Write.Create::new)
                        .toList()))
                .isTrue();
    }

    /** What people do: read, change, write. */
    protected void change(String name, UnaryOperator<Endpoint> change) {
        Stored seen = stored(name);
        assertThat(store().apply(List.of(new Write.Change(seen, change.apply(seen.endpoint())))))
                .isTrue();
    }

    protected static Endpoint with(Endpoint endpoint, Steering steering) {
        return endpoint.changed(endpoint.definition(), steering, endpoint.history(), endpoint.planned());
    }

    protected static Endpoint with(Endpoint endpoint, Duration timeout) {
        Definition old = endpoint.definition();
        Definition definition = new Definition(
                old.name(),
                old.description(),
                old.url(),
                old.method(),
                old.headers(),
                old.body(),
                timeout,
                old.signingKey(),
                old.baseline(),
                old.minInterval(),
                old.maxInterval(),
                old.remediation());
        return endpoint.changed(definition, endpoint.steering(), endpoint.history(), endpoint.planned());
    }

    protected static Endpoint with(Endpoint endpoint, Planned planned) {
        return endpoint.changed(endpoint.definition(), endpoint.steering(), endpoint.history(), planned);
    }

    protected static Endpoint archived(Endpoint endpoint) {
        return endpoint.changed(
                endpoint.definition(),
                endpoint.steering().archive(),
                endpoint.history(),
                new Planned(Optional.empty(), "ARCHIVED", "{}"));
    }

    protected Stored stored(String name) {
        return store().get("id-" + name).orElseThrow();
    }

    protected Demand demand(int limit, int perHost, Map<String, Integer> busy) {
        return new Demand("worker", "token-" + tokens.incrementAndGet(), limit, perHost, busy, MARGIN);
    }

    protected List<Claim> claim(int limit) {
        return store().claim(demand(limit, 1000, NOBODY));
    }

    protected Claim claimOne() {
        List<Claim> claims = claim(1);
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    protected static List<String> names(List<Claim> claims) {
        return claims.stream()
                .map(claim -> claim.endpoint().definition().name())
                .toList();
    }

    /** It went well, and the next is a minute after its slot. */
    protected static Result success(Claim claim) {
        return result(
                claim, new Answer(Optional.empty(), Optional.of(200), "", "fine", 4, Optional.empty()), slot(claim));
    }

    protected static Result failure(Claim claim) {
        return result(
                claim,
                new Answer(
                        Optional.of(Answer.Failure.STATUS),
                        Optional.of(503),
                        "status 503",
                        "busy",
                        4,
                        Optional.of(Duration.ofSeconds(7))),
                slot(claim));
    }

    protected static Result result(Claim claim, Answer answer, Instant endedAt) {
        Endpoint endpoint = claim.endpoint();
        Instant slot = slot(claim);
        RunHistory history = answer.isSuccess()
                ? endpoint.history().withSuccess(slot, endedAt)
                : endpoint.history().withFailure(slot, endedAt, answer.retryAfter());
        Run run = new Run(
                endpoint.id(),
                endpoint.definition().name(),
                endpoint.number(),
                claim.lease().attempt(),
                slot,
                slot,
                slot,
                endedAt,
                claim.lease().worker(),
                endpoint.planned().source(),
                endpoint.planned().story(),
                endpoint.history().failures(),
                history.failures(),
                answer,
                2,
                "the machine slept");
        return new Result(claim, run, history, planned(slot.plusSeconds(60)), false);
    }

    protected static Instant slot(Claim claim) {
        return claim.endpoint().planned().at().orElseThrow();
    }

    protected static Claim at(Claim claim, long revision) {
        return new Claim(claim.endpoint(), revision, claim.host(), claim.lease());
    }
}
