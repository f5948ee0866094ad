package dev.escapement.kubernetes.resource;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;

/**
 * A ledger entry as the API server has it; cluster-scoped, because a target is the same target whatever namespace the
 * request lives in.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("RemediationTarget")
public final class RemediationTargetResource extends SparseResource<RemediationTargetSpec, RemediationTargetStatus> {

    /** Keeps an entry that was deleted while it is held or has failures, see {@link LedgerEntry#isProtected}. */
    public static final String FINALIZER = "kubernaut.ai/ledger";

    /**
     * Returns the entry of a resource.
     *
     * @throws IllegalArgumentException if the resource is invalid although it conforms to the schema
     */
    public Versioned<LedgerEntry> read() {
        var document = new RemediationTarget(null, null, null, getSpec(), getStatus(), Map.of());
        return new Versioned<>(
                TargetMapper.fromDocument(document), getMetadata().getResourceVersion());
    }

    /** Returns the entry of a resource; empty if it is invalid, which its reconciler reports. */
    public Optional<LedgerEntry> readValid() {
        try {
            return Optional.of(read().value());
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    public static RemediationTargetResource newResource(LedgerEntry entry) {
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withName(entry.target().objectName())
                .addToLabels("app.kubernetes.io/managed-by", "escapement")
                .build();
        return updatedResource(metadata, entry);
    }

    /** Returns a resource that changes the entry on condition that it still has that version. */
    public static RemediationTargetResource updatedResource(String seenVersion, LedgerEntry next) {
        RemediationTargetResource resource = newResource(next);
        resource.getMetadata().setResourceVersion(seenVersion);
        return resource;
    }

    /** Does the same and keeps the labels and annotations that were seen. */
    public static RemediationTargetResource updatedResource(ObjectMeta seen, LedgerEntry next) {
        RemediationTarget document = TargetMapper.toDocument(next, "");
        RemediationTargetResource resource = new RemediationTargetResource();
        resource.setMetadata(withFinalizer(seen, next));
        resource.setSpec(document.spec());
        resource.setStatus(document.status());
        return resource;
    }

    public boolean hasFinalizer() {
        return getMetadata().getFinalizers().contains(FINALIZER);
    }

    /** Returns whether an update with this resource completes the deletion that a user has requested. */
    public boolean isRemovedByUpdate() {
        return isMarkedForDeletion() && getMetadata().getFinalizers().isEmpty();
    }

    /** Returns whether the finalizer is there exactly if the entry must be protected. */
    public boolean hasRequiredFinalizer() {
        return readValid()
                .map(entry -> withFinalizer(getMetadata(), entry).getFinalizers())
                .map(required -> required.equals(getMetadata().getFinalizers()))
                .orElse(true);
    }

    /** Adds or removes our finalizer; the API server removes a deleted entry with the last finalizer. */
    private static ObjectMeta withFinalizer(ObjectMeta seen, LedgerEntry entry) {
        boolean present = seen.getFinalizers().contains(FINALIZER);
        // The API server accepts no new finalizers on what is being deleted.
        boolean needed = entry.isProtected() && seen.getDeletionTimestamp() == null;
        ObjectMetaBuilder changed = new ObjectMetaBuilder(seen);
        if (!present && needed) {
            return changed.addToFinalizers(FINALIZER).build();
        }
        return present && !entry.isProtected()
                ? changed.removeFromFinalizers(FINALIZER).build()
                : changed.build();
    }
}
