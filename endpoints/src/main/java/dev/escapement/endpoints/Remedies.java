package dev.escapement.endpoints;

import dev.escapement.endpoints.Remedy.State;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Stored;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the remediations that are due. That one is due is recorded with the run that failed, and what became of it
 * afterwards; a crash in between means that it is asked again, by the same name, so there is never more than one
 * execution for one failed run.
 */
public final class Remedies {

    private static final Logger LOG = LoggerFactory.getLogger(Remedies.class);

    private static final int AT_ONCE = 50;

    private final EndpointStore store;
    private final Gatekeeper gate;

    /** @param gate where to ask */
    public Remedies(EndpointStore store, Gatekeeper gate) {
        this.store = store;
        this.gate = gate;
    }

    /** Asks for all that are due. */
    public void settleDue() {
        List<Stored> due;
        do {
            due = store.remediesDue(AT_ONCE);
            for (Stored each : due) {
                try {
                    settle(each.endpoint());
                } catch (RuntimeException failed) {
                    // It stays due and is looked at again; the others must not wait for it.
                    LOG.warn(
                            "the remediation of endpoint {} could not be asked for now",
                            each.endpoint().definition().name(),
                            failed);
                }
            }
        } while (due.size() == AT_ONCE);
    }

    private void settle(Endpoint endpoint) {
        // The run that failed is the last one that has ended.
        long run = endpoint.number() - 1;
        Remedy remedy = endpoint.definition()
                .remediation()
                .filter(remediation -> endpoint.history().failures() >= remediation.after())
                .map(remediation -> asked(endpoint, remediation, run))
                // It has recovered, or was forgiven, or people have changed their minds, before anybody came to ask.
                .orElseGet(() -> new Remedy(
                        run,
                        store.clock().instant(),
                        State.HELD_BACK,
                        endpoint.remedy().flatMap(Remedy::execution),
                        endpoint.remedy().flatMap(Remedy::namespace),
                        "it is not needed any more",
                        Optional.empty()));
        store.settle(endpoint.id(), remedy);
    }

    private Remedy asked(Endpoint endpoint, Remediation remediation, long run) {
        String name = "endpoint-" + Endpoint.occurrence(endpoint.id(), run);
        Gatekeeper.Reply reply = gate.ask(endpoint, remediation, name);
        boolean requested = reply.state() == State.REQUESTED;
        // One that is not asked for does not make the last one forgotten: it may still be at work.
        return new Remedy(
                run,
                store.clock().instant(),
                reply.state(),
                requested ? Optional.of(name) : endpoint.remedy().flatMap(Remedy::execution),
                requested
                        ? Optional.of(remediation.namespace())
                        : endpoint.remedy().flatMap(Remedy::namespace),
                reply.reason(),
                reply.until());
    }
}
