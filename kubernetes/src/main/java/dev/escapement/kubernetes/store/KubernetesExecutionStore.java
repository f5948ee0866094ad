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
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores executions and ledger entries as custom resources. There are no transactions: writes are applied one after the
 * other up to the first that fails.
 *
 * @param executions its cache receives what is written, so that the next reconciliation needs no read
 * @param targets its cache is what {@link #readEntry} reads
 */
public record KubernetesExecutionStore(
        ResourceWriter<WorkflowExecutionResource> executions, ResourceWriter<RemediationTargetResource> targets)
        implements ExecutionStore {

    /** The annotation with the time at which the execution was cancelled. */
    public static final String CANCELLED_AT = "kubernaut.ai/cancelled-at";

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return executions
                .fetch(ref.namespace(), ref.name())
                // One that was deleted and created again under the same name is another execution.
                .filter(found -> found.getMetadata().getUid().equals(ref.uid()))
                .map(WorkflowExecutionResource::read);
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
            return executions.tryDelete(ref.namespace(), ref.name(), seen.version());
        }
        Execution created = ((StoreWrite.Creation) write).execution();
        return executions.tryCreate(WorkflowExecutionResource.newResource(created));
    }

    private boolean writeEntry(StoreWrite.EntryUpdate write) {
        LedgerEntry entry = write.updated();
        String name = entry.target().objectName();
        String version = write.expected().version();
        boolean absent = version.equals(Versioned.ABSENT);
        if (entry.isIdle(write.at())) {
            return absent || targets.tryDelete("", name, version);
        }
        return absent
                ? targets.tryWrite(RemediationTargetResource.newResource(entry), Resource::create)
                : targets.tryWrite(updatedEntry(entry, name, version), Resource::update);
    }

    private RemediationTargetResource updatedEntry(LedgerEntry entry, String name, String version) {
        return targets.cache()
                .get("", name)
                .filter(seen -> seen.getMetadata().getResourceVersion().equals(version))
                .map(seen -> RemediationTargetResource.updatedResource(seen.getMetadata(), entry))
                .orElseGet(() -> RemediationTargetResource.updatedResource(version, entry));
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
