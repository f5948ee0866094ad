package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/** The objects of one kind in one namespace, as the cache has them and as the API server has them. */
final class RunObjectClient<T extends HasMetadata> {

    private final KubernetesClient client;
    private final String namespace;
    private final Class<T> type;
    private final RunCache<T> cache;

    /** @param cache hears of what is written and read here */
    RunObjectClient(KubernetesClient client, String namespace, Class<T> type, RunCache<T> cache) {
        this.client = client;
        this.namespace = namespace;
        this.type = type;
        this.cache = cache;
    }

    /** That very object, if the cache has it. */
    Optional<T> findCached(String name, String uid) {
        return cache.get(name).filter(found -> hasUid(found, uid));
    }

    /** That very object, if it is there: certainly. */
    Optional<T> refresh(String name, String uid) {
        Optional<T> found = fetch(name);
        found.ifPresentOrElse(cache::recordLatest, () -> cache.recordAbsent(name));
        return found.filter(seen -> hasUid(seen, uid));
    }

    /** Whatever has the name; the cache does not hear of it. */
    Optional<T> fetch(String name) {
        return Optional.ofNullable(resource(name).get());
    }

    T create(T object) {
        T created = client.resource(object).create();
        cache.recordLatest(created);
        return created;
    }

    /** The client reads what it was not given before it patches it: one request more for every start. */
    void patch(String name, String uid, JsonPatch patch) {
        Resource<T> resource =
                findCached(name, uid).<Resource<T>>map(client::resource).orElseGet(() -> resource(name));
        cache.recordLatest(resource.patch(PatchContext.of(PatchType.JSON), patch.toJson()));
    }

    /** The version alone says which object it is: no other, of the same name either, ever has it. */
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

    private boolean hasUid(T object, String uid) {
        return object.getMetadata().getUid().equals(uid);
    }
}
