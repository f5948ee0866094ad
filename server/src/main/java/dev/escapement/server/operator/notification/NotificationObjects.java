package dev.escapement.server.operator.notification;

import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.PageToken;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.store.NotificationQueries;
import dev.escapement.notifications.store.NotificationStore.NotificationFilter;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The notifications of the cluster: those of the operator, in its namespace, and those that others have created.
 *
 * @param namespace of the operator
 */
record NotificationObjects(ResourceWriter<NotificationRequestResource> writer, String namespace)
        implements NotificationQueries {

    private static final Map<String, String> LABELS = Map.of("app.kubernetes.io/managed-by", "escapement");

    private static final Comparator<NotificationRequestResource> NEWEST_FIRST = Comparator.comparing(
                    NotificationObjects::createdAt)
            .thenComparing(NotificationObjects::key)
            .reversed();

    /** Returns a new notification of the operator. */
    NotificationRequestResource newResource(NotificationRequest request, Map<String, String> annotations) {
        return NotificationRequestResource.newResource(
                namespace,
                NotificationDocuments.name(request),
                LABELS,
                annotations,
                NotificationDocuments.spec(request));
    }

    /** Returns whether the operator has created a notification. */
    boolean isOwn(NotificationRequestResource resource) {
        ObjectMeta meta = resource.getMetadata();
        return namespace.equals(meta.getNamespace())
                && requireNonNullElse(meta.getLabels(), Map.<String, String>of())
                        .entrySet()
                        .containsAll(LABELS.entrySet());
    }

    /** Returns those that the operator has created. */
    Stream<NotificationRequestResource> own() {
        return writer.cache().all().filter(this::isOwn);
    }

    Optional<NotificationRequestResource> findOwn(String name) {
        return writer.cache().get(namespace, name);
    }

    static String key(NotificationRequestResource resource) {
        ObjectMeta meta = resource.getMetadata();
        return meta.getNamespace() + "/" + meta.getName();
    }

    private static String createdAt(NotificationRequestResource resource) {
        return requireNonNullElse(resource.getMetadata().getCreationTimestamp(), "");
    }

    long countUnfinished() {
        return writer.cache().all().filter(resource -> !resource.isFinal()).count();
    }

    /** Names are unique in a namespace only; those of the operator come first. */
    @Override
    public Optional<NotificationRequest> find(String name) {
        return findOwn(name)
                .or(() -> writer.cache()
                        .all()
                        .filter(resource -> resource.getMetadata().getName().equals(name))
                        .min(Comparator.comparing(NotificationObjects::key)))
                .map(NotificationObjects::toDocument);
    }

    @Override
    public Page<NotificationRequest> list(NotificationFilter filter, String token, int limit) {
        Stream<NotificationRequestResource> found = writer.cache()
                .all()
                .filter(resource -> matches(resource, filter))
                .sorted(NEWEST_FIRST);
        if (!token.isEmpty()) {
            List<String> last = PageToken.decode(token, 2);
            found = found.filter(resource -> isAfter(resource, last.get(0), last.get(1)));
        }
        Page<NotificationRequestResource> page = PageToken.toPage(
                found.limit(PageToken.queryLimit(limit)).toList(),
                limit,
                last -> PageToken.encode(createdAt(last), key(last)));
        return new Page<>(
                page.items().stream().map(NotificationObjects::toDocument).toList(), page.nextToken());
    }

    /** Times of the API server have one format, so their order is that of the text. */
    private static boolean isAfter(NotificationRequestResource resource, String createdAt, String key) {
        int order = createdAt(resource).compareTo(createdAt);
        return order < 0 || (order == 0 && key(resource).compareTo(key) < 0);
    }

    private static boolean matches(NotificationRequestResource resource, NotificationFilter filter) {
        Optional<NotificationRequestSpec> spec = Optional.ofNullable(resource.getSpec());
        String phase = resource.phase().orElse(DeliveryPhase.Pending.name());
        return filter.phase().map(phase::equals).orElse(true)
                && isEqual(filter.severity(), spec.map(NotificationRequestSpec::severity))
                && isEqual(
                        filter.target(),
                        spec.map(NotificationRequestSpec::context).map(NotificationContext::targetResource));
    }

    private static boolean isEqual(Optional<String> wanted, Optional<String> value) {
        return wanted.isEmpty() || wanted.equals(value);
    }

    /** Adds the phase and the first attempt before there is a status. */
    private static NotificationRequest toDocument(NotificationRequestResource resource) {
        NotificationRequest document = resource.toDocument();
        try {
            return resource.phase().isPresent()
                    ? document
                    : NotificationDocuments.withStatus(document, NotificationDocuments.status(document));
        } catch (RuntimeException invalid) {
            // Its reconciler fails it with the reason.
            return document;
        }
    }
}
