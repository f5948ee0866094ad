package dev.escapement.kubernetes.resource;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;

/** Between ledger entries and what the API server has of them. */
public final class LedgerEntryCodec {

    private LedgerEntryCodec() {}

    /**
     * The entry.
     *
     * @throws IllegalArgumentException if the resource is none
     */
    public static Versioned<LedgerEntry> read(RemediationTargetResource resource) {
        RemediationTarget document =
                new RemediationTarget(null, null, null, resource.getSpec(), resource.getStatus(), Map.of());
        return new Versioned<>(
                TargetMapper.fromDocument(document), resource.getMetadata().getResourceVersion());
    }

    /** One that nobody has seen yet. */
    public static RemediationTargetResource newResource(LedgerEntry entry) {
        return toResource(
                entry,
                new ObjectMetaBuilder()
                        .withName(entry.target().objectName())
                        .addToLabels("app.kubernetes.io/managed-by", "escapement")
                        .build());
    }

    /** A change, under the version of what was seen; what people attached to it stays. */
    public static RemediationTargetResource updatedResource(RemediationTargetResource seen, LedgerEntry next) {
        return toResource(next, seen.getMetadata());
    }

    /** The same, when only the version of what was seen is at hand. */
    public static RemediationTargetResource updatedResource(String seenVersion, LedgerEntry next) {
        RemediationTargetResource resource = newResource(next);
        resource.getMetadata().setResourceVersion(seenVersion);
        return resource;
    }

    private static RemediationTargetResource toResource(LedgerEntry entry, ObjectMeta metadata) {
        RemediationTarget document = TargetMapper.toDocument(entry, "");
        RemediationTargetResource resource = new RemediationTargetResource();
        resource.setMetadata(metadata);
        resource.setSpec(document.spec());
        resource.setStatus(document.status());
        return resource;
    }
}
