package dev.escapement.kubernetes.store;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Executions and ledger entries as custom resources. No transaction spans two of them, so several writes are made one
 * after the other, and stop at the first that fails.
 */
public final class KubernetesStore implements Store {

    private final KubernetesClient client;
    private final View<WorkflowExecution> executions;
    private final View<RemediationTarget> targets;

    /**
     * A store.
     *
     * @param executions hears of what is written, so that the next look need not ask for it
     * @param targets what {@link #entry} answers from
     */
    public KubernetesStore(
            KubernetesClient client, View<WorkflowExecution> executions, View<RemediationTarget> targets) {
        this.client = client;
        this.executions = executions;
        this.targets = targets;
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        return Optional.ofNullable(resource(ref).get())
                // One that was deleted and made again under the same name is another one.
                .filter(found -> found.getMetadata().getUid().equals(ref.uid()))
                .map(ExecutionCodec::read);
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        return targets.get("", target.objectName())
                .map(EntryCodec::read)
                .map(entry -> ofTarget(target, entry))
                .orElseGet(() -> new Versioned<>(LedgerEntry.fresh(target), Versioned.ABSENT));
    }

    private static Versioned<LedgerEntry> ofTarget(Target target, Versioned<LedgerEntry> entry) {
        if (!entry.value().target().equals(target)) {
            throw new IllegalStateException("RemediationTarget %s is that of %s, not of %s: their names collide"
                    .formatted(target.objectName(), entry.value().target(), target));
        }
        return entry;
    }

    @Override
    public boolean apply(List<Write> writes) {
        return writes.stream().allMatch(this::apply);
    }

    private boolean apply(Write write) {
        if (write instanceof Write.Entry entry) {
            return write(entry);
        } else if (write instanceof Write.StatusOf status) {
            return status(status.seen(), status.seen().value().with(status.next()));
        } else if (write instanceof Write.ClearanceOf clearance) {
            return status(clearance.seen(), clearance.seen().value().cleared(clearance.clearance()));
        } else if (write instanceof Write.CancelOf cancel) {
            return cancel(cancel);
        } else if (write instanceof Write.DeleteOf delete) {
            return delete(resource(delete.seen().value().ref()), delete.seen().version());
        }
        return learn(Api.create(() -> client.resource(ExecutionCodec.request(((Write.Create) write).next()))
                .create()));
    }

    private boolean write(Write.Entry write) {
        String version = write.seen().version();
        boolean absent = version.equals(Versioned.ABSENT);
        if (write.next().isIdle(write.at())) {
            return absent || remove(write.next().target().objectName(), version);
        }
        Optional<RemediationTarget> written = Api.compareAndSet(() -> absent
                ? client.resource(EntryCodec.create(write.next())).create()
                : client.resource(changed(write, version)).update());
        written.ifPresent(targets::learned);
        return written.isPresent();
    }

    private RemediationTarget changed(Write.Entry write, String version) {
        return targets.get("", write.next().target().objectName())
                .filter(seen -> seen.getMetadata().getResourceVersion().equals(version))
                .map(seen -> EntryCodec.replace(seen, write.next()))
                .orElseGet(() -> EntryCodec.replace(version, write.next()));
    }

    private boolean remove(String name, String version) {
        Optional<RemediationTarget> known = targets.get("", name)
                .filter(seen -> seen.getMetadata().getResourceVersion().equals(version));
        boolean removed = delete(client.resources(RemediationTarget.class).withName(name), version);
        if (removed) {
            known.ifPresent(targets::removed);
        }
        return removed;
    }

    private boolean status(Versioned<Execution> seen, Execution next) {
        return learn(Api.compareAndSet(() ->
                client.resource(ExecutionCodec.status(next, seen.version())).updateStatus()));
    }

    private boolean cancel(Write.CancelOf cancel) {
        Map<String, Object> patch = Map.of(
                "metadata",
                Map.of(
                        "resourceVersion",
                        cancel.seen().version(),
                        "annotations",
                        Map.of(ExecutionDocument.CANCELLED_BY, cancel.by())));
        return learn(Api.compareAndSet(() -> resource(cancel.seen().value().ref())
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch))));
    }

    private boolean learn(Optional<WorkflowExecution> written) {
        written.ifPresent(executions::learned);
        return written.isPresent();
    }

    private static boolean delete(Resource<?> resource, String version) {
        return Api.compareAndSet(
                        () -> !resource.lockResourceVersion(version).delete().isEmpty())
                .orElse(false);
    }

    private Resource<WorkflowExecution> resource(ExecutionRef ref) {
        return client.resources(WorkflowExecution.class)
                .inNamespace(ref.namespace())
                .withName(ref.name());
    }
}
