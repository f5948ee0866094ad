package dev.escapement.kubernetes.store;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores executions and ledger entries as custom resources. There are no transactions: writes are applied one after the
 * other up to the first that fails.
 *
 * @param executions receives what is written, so that the next reconciliation needs no read
 * @param targets is what {@link #readEntry} reads
 */
public record KubernetesExecutionStore(
        KubernetesClient client,
        ResourceCache<WorkflowExecutionResource> executions,
        ResourceCache<RemediationTargetResource> targets)
        implements ExecutionStore {

    /** The annotation with the time at which the execution was cancelled. */
    public static final String CANCELLED_AT = "kubernaut.ai/cancelled-at";

    private ResourceWriter<WorkflowExecutionResource> executionWriter() {
        return new ResourceWriter<>(client, WorkflowExecutionResource.class, executions);
    }

    private ResourceWriter<RemediationTargetResource> targetWriter() {
        return new ResourceWriter<>(client, RemediationTargetResource.class, targets);
    }

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return executionWriter()
                .fetch(ref.namespace(), ref.name())
                // One that was deleted and created again under the same name is another execution.
                .filter(found -> found.getMetadata().getUid().equals(ref.uid()))
                .map(WorkflowExecutionResource::read);
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        return entry(target, targets.get("", target.objectName()));
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        return entry(target, targetWriter().refresh("", target.objectName()));
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
            Versioned<Execution> seen = delete.expected();
            ExecutionRef ref = seen.value().ref();
            return executionWriter().tryDelete(ref.namespace(), ref.name(), seen.version());
        }
        return executionWriter()
                .tryCreate(WorkflowExecutionResource.newResource(((StoreWrite.Creation) write).execution()));
    }

    private boolean writeEntry(StoreWrite.EntryUpdate write) {
        String name = write.updated().target().objectName();
        String version = write.expected().version();
        boolean absent = version.equals(Versioned.ABSENT);
        if (write.updated().isIdle(write.at())) {
            return absent || targetWriter().tryDelete("", name, version);
        }
        return targetWriter().tryWrite("", name, resource -> {
            LedgerEntry entry = write.updated();
            return absent
                    ? client.resource(RemediationTargetResource.newResource(entry))
                            .create()
                    : client.resource(updatedEntry(entry, name, version)).update();
        });
    }

    private RemediationTargetResource updatedEntry(LedgerEntry entry, String name, String version) {
        return targets.get("", name)
                .filter(seen -> seen.getMetadata().getResourceVersion().equals(version))
                .map(seen -> RemediationTargetResource.updatedResource(seen.getMetadata(), entry))
                .orElseGet(() -> RemediationTargetResource.updatedResource(version, entry));
    }

    private boolean updateStatus(Versioned<Execution> seen, Execution next) {
        WorkflowExecutionResource update = WorkflowExecutionResource.statusUpdate(next, seen.version());
        return executionWriter()
                .tryWrite(
                        next.ref().namespace(),
                        next.ref().name(),
                        resource -> client.resource(update).updateStatus());
    }

    private boolean annotateCancelled(StoreWrite.Cancellation cancel) {
        ExecutionRef ref = cancel.expected().value().ref();
        Map<String, String> annotations = Map.of(
                ApiGroup.CANCELLED_BY, cancel.actor(), CANCELLED_AT, cancel.at().toString());
        String patch = Json.write(
                Map.of("metadata", Map.of("resourceVersion", cancel.expected().version(), "annotations", annotations)));
        return executionWriter()
                .tryWrite(
                        ref.namespace(),
                        ref.name(),
                        resource -> resource.patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }
}
