package dev.escapement.kubernetes.resource;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestStatus;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A notification as the API server has it. The records keep unknown fields, and hold enum values as text. */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("NotificationRequest")
public final class NotificationRequestResource
        extends SparseResource<NotificationRequestSpec, NotificationRequestStatus> implements Namespaced {

    /** Phases that do not change any more. */
    private static final Set<String> FINAL_PHASES = Set.of("Sent", "PartiallySent", "Failed");

    /** Returns the phase of its status; empty before the first attempt. */
    public Optional<String> phase() {
        return Optional.ofNullable(getStatus()).map(NotificationRequestStatus::phase);
    }

    /** Returns whether its status has a terminal phase. */
    public boolean isFinal() {
        return phase().filter(FINAL_PHASES::contains).isPresent();
    }

    /** Returns an annotation; empty if it is absent. */
    public Optional<String> annotation(String key) {
        return Optional.ofNullable(getMetadata().getAnnotations()).map(all -> all.get(key));
    }

    /** Returns the document of this resource. */
    public NotificationRequest toDocument() {
        ObjectMeta meta = getMetadata();
        ObjectMetadata metadata = new ObjectMetadata(
                meta.getName(),
                null,
                meta.getNamespace(),
                meta.getUid(),
                meta.getCreationTimestamp(),
                null,
                meta.getResourceVersion(),
                Objects.requireNonNullElse(meta.getLabels(), Map.of()),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        return new NotificationRequest(getApiVersion(), getKind(), metadata, getSpec(), getStatus(), Map.of());
    }

    /** Returns a resource to create. The API server sets the uid and the creation time, and drops a status. */
    public static NotificationRequestResource newResource(
            String namespace,
            String name,
            Map<String, String> labels,
            Map<String, String> annotations,
            NotificationRequestSpec spec) {
        NotificationRequestResource resource = new NotificationRequestResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .withAnnotations(annotations)
                .build());
        resource.setSpec(spec);
        return resource;
    }

    /** Returns a resource that changes the spec and these annotations, if this is still the stored version. */
    public NotificationRequestResource withSpec(NotificationRequestSpec spec, Map<String, String> annotations) {
        NotificationRequestResource resource = new NotificationRequestResource();
        resource.setMetadata(new ObjectMetaBuilder(getMetadata())
                .addToAnnotations(annotations)
                .build());
        resource.setSpec(spec);
        return resource;
    }

    /** Returns a resource that changes the status only, if this is still the stored version. */
    public NotificationRequestResource withStatus(NotificationRequestStatus status) {
        NotificationRequestResource resource = new NotificationRequestResource();
        resource.setMetadata(getMetadata());
        resource.setSpec(getSpec());
        resource.setStatus(status);
        return resource;
    }
}
