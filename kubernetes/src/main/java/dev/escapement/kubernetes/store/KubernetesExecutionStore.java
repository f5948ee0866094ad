package dev.escapement.kubernetes.store;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.Json;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.ClearanceRequest;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores executions and ledger entries as custom resources. There are no transactions: writes are applied one after the
 * other up to the first that fails.
 *
 * @param executions its cache receives what is written, so that the next reconciliation needs no read
 * @param targets its cache is what {@link #readEntry} reads
 * @param policy the state of a target follows from it: the columns of {@code kubectl get} show what is stored
 * @param waiting follows the cache of executions
 */
public record KubernetesExecutionStore(
        ResourceWriter<WorkflowExecutionResource> executions,
        ResourceWriter<RemediationTargetResource> targets,
        Supplier<Policy> policy,
        WaitingIndex waiting)
        implements ExecutionStore {

    /** The annotation with the time at which the execution was cancelled. */
    public static final String CANCELLED_AT = "kubernaut.ai/cancelled-at";

    /** Creates a store that finds waiting executions from what the watch delivers from now on. */
    public KubernetesExecutionStore(
            ResourceWriter<WorkflowExecutionResource> executions,
            ResourceWriter<RemediationTargetResource> targets,
            Supplier<Policy> policy) {
        this(executions, targets, policy, WaitingResources.index(executions.cache()));
    }

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return executions
                .fetch(ref.namespace(), ref.name())
                // One that was deleted and created again under the same name is another execution.
                .filter(found -> found.getMetadata().getUid().equals(ref.uid()))
                .map(WorkflowExecutionResource::read);
    }

    @Override
    public Optional<Versioned<Execution>> readCachedExecution(ExecutionRef ref) {
        return executions
                .cache()
                .get(ref.namespace(), ref.name(), ref.uid())
                .flatMap(WorkflowExecutionResource::readValid)
                .or(() -> readExecution(ref));
    }

    /** A finalizer protects entries from {@code kubectl delete}, and from nothing else. */
    @Override
    public boolean canLoseEntries() {
        return true;
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        return entry(target, targets.cache().get("", target.objectName()));
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        return entry(target, targets.refresh("", target.objectName()));
    }

    private static Versioned<LedgerEntry> entry(Target target, Optional<RemediationTargetResource> found) {
        Versioned<LedgerEntry> entry = found.map(RemediationTargetResource::read)
                .orElseGet(() -> new Versioned<>(LedgerEntry.initial(target), Versioned.ABSENT));
        if (!entry.value().target().equals(target)) {
            throw new IllegalStateException(
                    "RemediationTarget %s belongs to target %s, not to %s: their object names collide"
                            .formatted(target.objectName(), entry.value().target(), target));
        }
        return entry;
    }

    @Override
    public List<GateRequest> readWaiting(Target target) {
        return waiting.requests(target);
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        return writes.stream().allMatch(this::apply);
    }

    private boolean apply(StoreWrite write) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            return writeEntry(entry);
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return updateStatus(status.expected(), status.expected().value().withStatus(status.updated()));
        } else if (write instanceof StoreWrite.ClearanceUpdate clearance) {
            return updateStatus(
                    clearance.expected(), clearance.expected().value().withClearance(clearance.clearance()));
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            return annotateCancelled(cancel);
        } else if (write instanceof StoreWrite.Deletion delete) {
            return deleteExecution(delete.expected());
        } else if (write instanceof StoreWrite.Expiry expiry) {
            return deleteExecution(expiry.expected());
        }
        Execution created = ((StoreWrite.Creation) write).execution();
        return executions.tryCreate(WorkflowExecutionResource.newResource(created));
    }

    private boolean deleteExecution(Versioned<Execution> seen) {
        ExecutionRef ref = seen.value().ref();
        return executions.tryDelete(ref.namespace(), ref.name(), seen.version());
    }

    private boolean writeEntry(StoreWrite.EntryUpdate write) {
        LedgerEntry entry = write.updated();
        String name = entry.target().objectName();
        String version = write.expected().version();
        boolean absent = version.equals(Versioned.ABSENT);
        Optional<RemediationTargetResource> seen = targets.cache()
                .get("", name)
                .filter(cached -> cached.getMetadata().getResourceVersion().equals(version));
        if (!isClearance(write) && seen.flatMap(ClearanceRequest::of).isPresent()) {
            // The request of a person is about this entry, not about what another write would make of it.
            return false;
        }
        boolean hasFinalizer =
                seen.filter(RemediationTargetResource::hasFinalizer).isPresent();
        // An idle entry that still has the finalizer is deleted after a write has removed the finalizer.
        if (entry.isIdle(write.at()) && !hasFinalizer) {
            return absent || targets.tryDelete("", name, version);
        }
        if (absent) {
            return targets.tryWrite(withState(RemediationTargetResource.newResource(entry), write), Resource::create);
        }
        RemediationTargetResource updated = seen.map(cached ->
                        isClearance(write) ? ClearanceRequest.removeFrom(cached.getMetadata()) : cached.getMetadata())
                .map(metadata -> RemediationTargetResource.updatedResource(metadata, entry))
                .orElseGet(() -> RemediationTargetResource.updatedResource(version, entry));
        boolean written = targets.tryWrite(withState(updated, write), Resource::update);
        if (written && updated.isRemovedByUpdate()) {
            targets.cache().recordDeleted(updated);
        } else if (written && entry.isIdle(write.at())) {
            // If it fails, or after a crash, the reconciler of the target removes the entry.
            targets.cache().get("", name).ifPresent(latest -> {
                var unused = targets.tryDelete("", name, latest.getMetadata().getResourceVersion());
            });
        }
        return written;
    }

    private RemediationTargetResource withState(RemediationTargetResource resource, StoreWrite.EntryUpdate write) {
        resource.setStatus(
                TargetState.of(write.updated(), policy.get(), write.at()).addTo(resource.getStatus()));
        return resource;
    }

    private static boolean isClearance(StoreWrite.EntryUpdate write) {
        Optional<Clearance> clearance = write.updated().clearance();
        return clearance.isPresent()
                && !clearance.equals(write.expected().value().clearance());
    }

    private boolean updateStatus(Versioned<Execution> seen, Execution next) {
        return executions.tryWrite(
                WorkflowExecutionResource.statusUpdate(next, seen.version()), Resource::updateStatus);
    }

    private boolean annotateCancelled(StoreWrite.Cancellation cancel) {
        ExecutionRef ref = cancel.expected().value().ref();
        Map<String, String> annotations = Map.of(
                ApiGroup.CANCELLED_BY, cancel.actor(), CANCELLED_AT, cancel.at().toString());
        String patch = Json.write(
                Map.of("metadata", Map.of("resourceVersion", cancel.expected().version(), "annotations", annotations)));
        Resource<WorkflowExecutionResource> resource = executions.resource(ref.namespace(), ref.name());
        return executions.tryWrite(
                ref.namespace(), ref.name(), () -> resource.patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }
}
