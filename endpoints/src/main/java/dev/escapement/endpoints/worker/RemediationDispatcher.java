package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests due remediations and records the results. That a remediation is due is stored with the failed run; after a
 * crash it is requested again under the same execution name, so one failed run creates at most one execution.
 */
public record RemediationDispatcher(EndpointStore store, RemediationRequester requester) {

    private static final Logger LOG = LoggerFactory.getLogger(RemediationDispatcher.class);

    private static final int BATCH_SIZE = 50;

    /** The endpoint recovered, its failures were reset or its remediation was removed before the request. */
    private static final RemediationRequester.Response NOT_NEEDED =
            new RemediationRequester.Response(State.HELD_BACK, "it is no longer needed", Optional.empty());

    /** Requests all remediations that are due. One that fails stays due and is retried later. */
    public void requestDue() {
        List<StoredEndpoint> due;
        do {
            due = store.claimDueRemediations(BATCH_SIZE);
            for (StoredEndpoint stored : due) {
                try {
                    requestAndRecord(stored.endpoint());
                } catch (RuntimeException failure) {
                    LOG.warn(
                            "Remediation of endpoint {} could not be requested, will retry",
                            stored.endpoint().definition().name(),
                            failure);
                }
            }
        } while (due.size() == BATCH_SIZE);
    }

    private void requestAndRecord(ScheduledEndpoint endpoint) {
        // The failed run is the last finished one.
        long run = endpoint.nextRunNumber() - 1;
        String name = "endpoint-" + ScheduledEndpoint.runId(endpoint.id(), run);
        Optional<RemediationPolicy> policy = endpoint.definition()
                .remediation()
                .filter(given -> endpoint.history().failures() >= given.afterFailures());
        RemediationRequester.Response response =
                policy.map(given -> requester.request(endpoint, given, name)).orElse(NOT_NEEDED);
        boolean requested = response.state() == State.REQUESTED;
        // A remediation that was not requested keeps the previous execution on record: it may still be running.
        Optional<RemediationAttempt> last = endpoint.lastRemediation();
        store.recordRemediation(
                endpoint.id(),
                new RemediationAttempt(
                        run,
                        store.clock().instant(),
                        response.state(),
                        requested ? Optional.of(name) : last.flatMap(RemediationAttempt::executionName),
                        requested
                                ? policy.map(RemediationPolicy::namespace)
                                : last.flatMap(RemediationAttempt::namespace),
                        response.reason(),
                        response.blockedUntil()));
    }

    /** Creates executions for endpoints that keep failing, through the same gate as all other requests. */
    public interface RemediationRequester {

        /**
         * The result of a request.
         *
         * @param reason why no execution was created; empty if one was
         * @param blockedUntil earliest time at which the gate may admit it, if known
         */
        record Response(RemediationAttempt.State state, String reason, Optional<Instant> blockedUntil) {}

        /**
         * Creates an execution with exactly that name. Idempotent: an existing execution counts as requested.
         *
         * @param endpoint the failing endpoint
         * @param executionName the same for every attempt for one failed run
         */
        Response request(ScheduledEndpoint endpoint, RemediationPolicy policy, String executionName);
    }
}
