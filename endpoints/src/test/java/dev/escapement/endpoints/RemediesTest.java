package dev.escapement.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.Remedy.State;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.call.Answer.Failure;
import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemediesTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-16T00:00:00Z"));
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(now::get, 100);
    private final Planning planning = new Planning(new RunPlanner(0));
    private final Endpoints people = new Endpoints(store, planning, () -> "e");
    private final List<String> asked = new ArrayList<>();
    private boolean gateIsAway;
    private final Remedies remedies = new Remedies(store, (endpoint, remediation, name) -> {
        if (gateIsAway) {
            throw new IllegalStateException("away");
        }
        asked.add(name);
        return new Gatekeeper.Reply(State.REQUESTED, "", Optional.empty());
    });

    @BeforeEach
    void anEndpointThatNamesARemediationAfterTwoFailures() {
        Definition plain = Sample.every("health", Duration.ofMinutes(1)).definition();
        people.create(new Wanted(
                new Definition(
                        plain.name(),
                        plain.description(),
                        plain.url(),
                        plain.method(),
                        plain.headers(),
                        plain.body(),
                        plain.timeout(),
                        plain.signingKey(),
                        plain.baseline(),
                        plain.minInterval(),
                        plain.maxInterval(),
                        Optional.of(new Remediation(
                                2, "default", "fix", Target.parse("node/a"), Map.of(), ClusterRun.NONE))),
                Optional.empty()));
    }

    @Test
    void itIsAskedForAtTheLastOfTheFailuresAndAgainOnlyAtTheNext() {
        fails();
        remedies.settleDue();
        assertThat(asked).isEmpty();

        fails();
        remedies.settleDue();
        remedies.settleDue();
        later(Duration.ofMinutes(1));
        remedies.settleDue();
        assertThat(asked).containsExactly("endpoint-e-2");
        assertThat(remedy().execution()).contains("endpoint-e-2");

        fails();
        remedies.settleDue();
        assertThat(asked).containsExactly("endpoint-e-2", "endpoint-e-3");
    }

    @Test
    void whatCouldNotBeAskedForIsAskedForLaterByTheSameName() {
        fails();
        fails();
        gateIsAway = true;
        remedies.settleDue();
        gateIsAway = false;
        later(Duration.ofMinutes(1));
        remedies.settleDue();

        assertThat(asked).containsExactly("endpoint-e-2");
    }

    @Test
    void whoRecoveredBeforeAnybodyAskedIsLeftAlone() {
        fails();
        fails();
        gateIsAway = true;
        remedies.settleDue();
        gateIsAway = false;
        runs(new Answer(Optional.empty(), Optional.of(200), "", "", 0, Optional.empty()));
        later(Duration.ofMinutes(1));
        remedies.settleDue();

        assertThat(asked).isEmpty();
    }

    @Test
    void whoWasForgivenBeforeAnybodyAskedIsLeftAlone() {
        fails();
        fails();
        people.resetFailures("health");
        remedies.settleDue();

        assertThat(asked).isEmpty();
        assertThat(remedy().state()).isEqualTo(State.HELD_BACK);
        assertThat(store.remediesDue(10)).isEmpty();
    }

    @Test
    void whoDiesBetweenAskingAndWritingItDownLeavesItToBeAskedForByTheSameName() {
        fails();
        fails();
        Remedies dying = new Remedies(
                FaultyEndpointStore.around(store, new FaultyEndpointStore.Hook() {
                    @Override
                    public void before(String call) {
                        if (call.equals("settle")) {
                            throw new IllegalStateException("died before " + call);
                        }
                    }
                }),
                (endpoint, remediation, name) -> {
                    asked.add(name);
                    return new Gatekeeper.Reply(State.REQUESTED, "", Optional.empty());
                });
        dying.settleDue();
        later(Duration.ofMinutes(1));
        remedies.settleDue();

        assertThat(asked).containsExactly("endpoint-e-2", "endpoint-e-2");
        assertThat(remedy().execution()).contains("endpoint-e-2");
    }

    private Remedy remedy() {
        return store.get("e").orElseThrow().endpoint().remedy().orElseThrow();
    }

    private void later(Duration time) {
        now.set(store.clock().instant().plus(time));
    }

    private void fails() {
        runs(Answer.failed(Failure.CONNECTION, "refused"));
    }

    /** As a worker would. */
    private void runs(Answer answer) {
        later(Duration.ofHours(2));
        Claim claim = store.claim(new Demand("w", "t" + now.get(), 1, 1, Map.of(), Duration.ofSeconds(1)))
                .get(0);
        Endpoint endpoint = claim.endpoint();
        Instant at = store.clock().instant();
        Instant slot = endpoint.planned().at().orElseThrow();
        RunHistory before = endpoint.history();
        RunHistory after = answer.isSuccess() ? before.withSuccess(slot, at) : before.withFailure(slot, at);
        Run run = new Run(
                endpoint.id(),
                "health",
                endpoint.number(),
                1,
                slot,
                slot,
                at,
                at,
                "w",
                "BACKOFF",
                "{}",
                before.failures(),
                after.failures(),
                answer,
                0,
                "");
        Planned next = planning.plan(endpoint.id(), endpoint.definition(), endpoint.steering(), after, at);
        store.record(List.of(new Result(claim, run, after, next, after.failures() >= 2)));
    }
}
