package dev.escapement.kubernetes.resource;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;

/** Converts ledger entries to and from custom resources. */
public final class LedgerEntryCodec {

    private LedgerEntryCodec() {}

    /**
     * Returns the entry of a resource.
     *
     * @throws IllegalArgumentException if the resource is invalid although it conforms to the schema
     */
    public static Versioned<LedgerEntry> read(RemediationTargetResource resource) {
        var document = new RemediationTarget(null, null, null, resource.getSpec(), resource.getStatus(), Map.of());
        return new Versioned<>(
                TargetMapper.fromDocument(document), resource.getMetadata().getResourceVersion());
    }

    /** Returns the entry of a resource; empty if it is invalid, which its reconciler reports. */
    public static Optional<LedgerEntry> readValid(RemediationTargetResource resource) {
        try {
            return Optional.of(read(resource).value());
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
        resource.setMetadata(seen);
        resource.setSpec(document.spec());
        resource.setStatus(document.status());
        return resource;
    }
}
