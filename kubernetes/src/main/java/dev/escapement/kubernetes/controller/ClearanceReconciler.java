package dev.escapement.kubernetes.controller;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.TargetClearance;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.ClearanceRequest;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears a target whose entry carries the annotations of a person. The update of the entry that records the clearance
 * also removes the annotations, so that a crash never clears a later block with them; see the store.
 *
 * @param refusalListener receives an entry whose request has no effect, and why
 */
record ClearanceReconciler(
        ResourceWriter<RemediationTargetResource> targets,
        ExecutionStore store,
        BiConsumer<RemediationTargetResource, String> refusalListener,
        InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(ClearanceReconciler.class);
    private static final String INCOMPLETE = "a clearance needs both annotations, " + ApiGroup.CLEAR
            + " with the reason and " + ApiGroup.CLEARED_BY + " with your name";

    WorkResult reconcile(String name, String uid) {
        return targets.cache()
                .get("", name, uid)
                .filter(ClearanceRequest::isPresentOn)
                .map(this::reconcile)
                .orElse(WorkResult.DONE);
    }

    private WorkResult reconcile(RemediationTargetResource resource) {
        Optional<ClearanceRequest> request = ClearanceRequest.of(resource);
        if (request.isEmpty()) {
            // The missing annotation may follow.
            refusalListener.accept(resource, INCOMPLETE);
            return WorkResult.DONE;
        }
        Versioned<LedgerEntry> seen;
        try {
            seen = resource.read();
        } catch (IllegalArgumentException invalid) {
            LOG.error(
                    "RemediationTarget {} is invalid: {}",
                    resource.getMetadata().getName(),
                    invalid.getMessage());
            return WorkResult.DONE;
        }
        Clearance clearance = new Clearance(request.get().actor(), request.get().reason(), clock.instant());
        Optional<List<StoreWrite>> writes = new TargetClearance(store).writes(seen, clearance);
        boolean applied = writes.map(store::apply).orElseGet(() -> removeRequest(resource));
        return applied ? WorkResult.DONE : WorkResult.CONFLICT;
    }

    /** A request that finds nothing to clear must not stay: it would clear the next failure. */
    private boolean removeRequest(RemediationTargetResource resource) {
        RemediationTargetResource answered = new RemediationTargetResource();
        answered.setMetadata(ClearanceRequest.removeFrom(resource.getMetadata()));
        answered.setSpec(resource.getSpec());
        answered.setStatus(resource.getStatus());
        boolean removed = targets.tryWrite(answered, Resource::update);
        if (removed) {
            refusalListener.accept(resource, "nothing to clear: the target is not blocked and has no failures");
        }
        return removed;
    }
}
