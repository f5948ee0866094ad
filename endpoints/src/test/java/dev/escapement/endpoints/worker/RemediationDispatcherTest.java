package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester;
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

class RemediationDispatcherTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-16T00:00:00Z"));
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(now::get, 100);
    private final EndpointPlanner planner = new EndpointPlanner(new RunPlanner(0));
    private final EndpointService service = new EndpointService(store, planner, () -> "e");
    private final List<String> requestedNames = new ArrayList<>();
    private boolean requesterFails;
    private final RemediationDispatcher dispatcher = new RemediationDispatcher(store, (endpoint, remediation, name) -> {
        if (requesterFails) {
            throw new IllegalStateException("away");
        }
        requestedNames.add(name);
        return new RemediationRequester.Response(State.REQUESTED, "", Optional.empty());
    });

    @BeforeEach
    void createEndpointWithRemediationAfterTwoFailures() {
        EndpointDefinition plain =
                SampleEndpoints.withInterval("health", Duration.ofMinutes(1)).definition();
        service.create(new DesiredEndpoint(
                new EndpointDefinition(
                        plain.name(),
                        plain.description(),
                        plain.call(),
                        plain.baseline(),
                        plain.minInterval(),
                        plain.maxInterval(),
                        Optional.of(new RemediationPolicy(
                                2, "default", "fix", Target.parse("node/a"), Map.of(), ClusterRunOptions.NONE))),
                Optional.empty()));
    }

    @Test
    void requestsOncePerFailureFromThresholdOn() {
        runFailing();
        dispatcher.requestDue();
        assertThat(requestedNames).isEmpty();

        runFailing();
        dispatcher.requestDue();
        dispatcher.requestDue();
        advanceClock(Duration.ofMinutes(1));
        dispatcher.requestDue();
        assertThat(requestedNames).containsExactly("endpoint-e-2");
        assertThat(lastRemediation().executionName()).contains("endpoint-e-2");

        runFailing();
        dispatcher.requestDue();
        assertThat(requestedNames).containsExactly("endpoint-e-2", "endpoint-e-3");
    }

    @Test
    void retriesFailedRequestWithSameExecutionName() {
        runFailing();
        runFailing();
        requesterFails = true;
        dispatcher.requestDue();
        requesterFails = false;
        advanceClock(Duration.ofMinutes(1));
        dispatcher.requestDue();

        assertThat(requestedNames).containsExactly("endpoint-e-2");
    }

    @Test
    void doesNotRequestAfterRecovery() {
        runFailing();
        runFailing();
        requesterFails = true;
        dispatcher.requestDue();
        requesterFails = false;
        runWith(new CallResult(Optional.empty(), Optional.of(200), "", "", 0, Optional.empty()));
        advanceClock(Duration.ofMinutes(1));
        dispatcher.requestDue();

        assertThat(requestedNames).isEmpty();
    }

    @Test
    void doesNotRequestAfterFailureReset() {
        runFailing();
        runFailing();
        service.resetFailures("health");
        dispatcher.requestDue();

        assertThat(requestedNames).isEmpty();
        assertThat(lastRemediation().state()).isEqualTo(State.HELD_BACK);
        assertThat(store.claimDueRemediations(10)).isEmpty();
    }

    @Test
    void repeatsRequestWithSameNameAfterCrashBeforeRecording() {
        runFailing();
        runFailing();
        RemediationDispatcher dying = new RemediationDispatcher(
                FaultyEndpointStore.wrap(store, new FaultyEndpointStore.Hook() {
                    @Override
                    public void before(String call) {
                        if (call.equals("recordRemediation")) {
                            throw new IllegalStateException("died before " + call);
                        }
                    }
                }),
                (endpoint, remediation, name) -> {
                    requestedNames.add(name);
                    return new RemediationRequester.Response(State.REQUESTED, "", Optional.empty());
                });
        dying.requestDue();
        advanceClock(Duration.ofMinutes(1));
        dispatcher.requestDue();

        assertThat(requestedNames).containsExactly("endpoint-e-2", "endpoint-e-2");
        assertThat(lastRemediation().executionName()).contains("endpoint-e-2");
    }

    private RemediationAttempt lastRemediation() {
        return store.get("e").orElseThrow().endpoint().lastRemediation().orElseThrow();
    }

    private void advanceClock(Duration time) {
        now.set(store.clock().instant().plus(time));
    }

    private void runFailing() {
        runWith(CallResult.failed(Failure.CONNECTION, "refused"));
    }

    /** Records a result like a worker. */
    private void runWith(CallResult answer) {
        advanceClock(Duration.ofHours(2));
        EndpointClaim claim = store.claim(new ClaimRequest("w", "t" + now.get(), 1, 1, Map.of(), Duration.ofSeconds(1)))
                .get(0);
        ScheduledEndpoint endpoint = claim.endpoint();
        Instant at = store.clock().instant();
        Instant slot = endpoint.nextRun().at().orElseThrow();
        RunHistory before = endpoint.history();
        RunHistory after =
                answer.isSuccess() ? before.withSuccess(slot, at) : before.withFailure(slot, at, Optional.empty());
        FinishedRun run = new FinishedRun(
                endpoint.id(),
                "health",
                endpoint.nextRunNumber(),
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
        PlannedRun next = planner.plan(endpoint.id(), endpoint.definition(), endpoint.overrides(), after, at);
        store.record(List.of(new RunResult(claim, run, after, next, after.failures() >= 2)));
    }
}
