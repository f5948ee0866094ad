package dev.escapement.endpoints.remediation;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the remediations that are due. That one is due is recorded with the run that failed, and what became of it
 * afterwards; a crash in between means that it is asked again, by the same name, so there is never more than one
 * execution for one failed run.
 */
public final class RemediationDispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(RemediationDispatcher.class);

    private static final int BATCH_SIZE = 50;

    private final EndpointStore store;
    private final RemediationRequester requester;

    /** @param gate where to ask */
    public RemediationDispatcher(EndpointStore store, RemediationRequester gate) {
        this.store = store;
        this.requester = gate;
    }

    /** Asks for all that are due. */
    public void requestDue() {
        List<StoredEndpoint> due;
        do {
            due = store.claimDueRemediations(BATCH_SIZE);
            for (StoredEndpoint each : due) {
                try {
                    requestAndRecord(each.endpoint());
                } catch (RuntimeException failed) {
                    // It stays due and is looked at again; the others must not wait for it.
                    LOG.warn(
                            "the remediation of endpoint {} could not be asked for now",
                            each.endpoint().definition().name(),
                            failed);
                }
            }
        } while (due.size() == BATCH_SIZE);
    }

    private void requestAndRecord(Endpoint endpoint) {
        // The run that failed is the last one that has ended.
        long run = endpoint.nextRunNumber() - 1;
        RemediationAttempt remedy = endpoint.definition()
                .remediation()
                .filter(remediation -> endpoint.history().failures() >= remediation.afterFailures())
                .map(remediation -> request(endpoint, remediation, run))
                // It has recovered, or was forgiven, or people have changed their minds, before anybody came to ask.
                .orElseGet(() -> new RemediationAttempt(
                        run,
                        store.clock().instant(),
                        State.HELD_BACK,
                        endpoint.lastRemediation().flatMap(RemediationAttempt::executionName),
                        endpoint.lastRemediation().flatMap(RemediationAttempt::namespace),
                        "it is not needed any more",
                        Optional.empty()));
        store.recordRemediation(endpoint.id(), remedy);
    }

    private RemediationAttempt request(Endpoint endpoint, RemediationPolicy remediation, long run) {
        String name = "endpoint-" + Endpoint.runId(endpoint.id(), run);
        RemediationRequester.Response reply = requester.request(endpoint, remediation, name);
        boolean requested = reply.state() == State.REQUESTED;
        // One that is not asked for does not make the last one forgotten: it may still be at work.
        return new RemediationAttempt(
                run,
                store.clock().instant(),
                reply.state(),
                requested ? Optional.of(name) : endpoint.lastRemediation().flatMap(RemediationAttempt::executionName),
                requested
                        ? Optional.of(remediation.namespace())
                        : endpoint.lastRemediation().flatMap(RemediationAttempt::namespace),
                reply.reason(),
                reply.blockedUntil());
    }
}
