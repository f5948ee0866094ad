package dev.escapement.kubernetes.run;

import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/** Reads and writes the objects of one kind in one namespace and keeps the cache up to date. */
final class RunObjectClient<T extends HasMetadata> {

    private final KubernetesClient client;
    private final String namespace;
    private final Class<T> type;
    private final ResourceCache<T> cache;

    RunObjectClient(KubernetesClient client, String namespace, Class<T> type, ResourceCache<T> cache) {
        this.client = client;
        this.namespace = namespace;
        this.type = type;
        this.cache = cache;
    }

    /** Returns the object with this uid if the cache has it. */
    Optional<T> findCached(String name, String uid) {
        return cache.get(namespace, name, uid);
    }

    /** Reads the object with this uid from the API server. */
    Optional<T> refresh(String name, String uid) {
        Optional<T> found = fetch(name);
        found.ifPresentOrElse(cache::recordLatest, () -> cache.recordAbsent(namespace, name));
        return found.filter(seen -> seen.getMetadata().getUid().equals(uid));
    }

    /** Reads whatever object has the name from the API server; the cache stays as it is. */
    Optional<T> fetch(String name) {
        return Optional.ofNullable(resource(name).get());
    }

    T create(T object) {
        T created = client.resource(object).create();
        cache.recordLatest(created);
        return created;
    }

    /**
     * Patches the object. It is passed to the client if it is cached, because the client would read it first otherwise.
     */
    void patch(String name, String uid, JsonPatch patch) {
        Resource<T> resource =
                findCached(name, uid).<Resource<T>>map(client::resource).orElseGet(() -> resource(name));
        cache.recordLatest(resource.patch(PatchContext.of(PatchType.JSON), patch.toJson()));
    }

    /** Deletes the object under its resource version, which no other object ever has. */
    boolean delete(T object) {
        boolean deleted = !resource(object.getMetadata().getName())
                .lockResourceVersion(object.getMetadata().getResourceVersion())
                .delete()
                .isEmpty();
        cache.recordDeleted(object);
        return deleted;
    }

    private Resource<T> resource(String name) {
        return client.resources(type).inNamespace(namespace).withName(name);
    }
}
