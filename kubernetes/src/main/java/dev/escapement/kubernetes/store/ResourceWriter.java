package dev.escapement.kubernetes.store;

import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes objects of one kind by compare-and-set. A write that conflicts refreshes the cache, so that the next attempt
 * does not fail on the same stale read.
 */
record ResourceWriter<T extends HasMetadata>(KubernetesClient client, Class<T> type, ResourceCache<T> cache) {

    /** Reads the object from the API server; the cache stays as it is. */
    Optional<T> fetch(String namespace, String name) {
        return Optional.ofNullable(resource(namespace, name).get());
    }

    /** Returns false if the object was changed, created or deleted meanwhile. */
    boolean update(String namespace, String name, Function<Resource<T>, T> write) {
        try {
            cache.recordLatest(write.apply(resource(namespace, name)));
            return true;
        } catch (KubernetesClientException refused) {
            refreshAfterConflict(namespace, name, refused);
            return false;
        }
    }

    /**
     * Returns false if an object of that name exists.
     *
     * @throws KubernetesClientException with code 404 if its namespace does not exist
     */
    boolean create(T object) {
        String namespace =
                Optional.ofNullable(object.getMetadata().getNamespace()).orElse("");
        try {
            cache.recordLatest(client.resource(object).create());
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
            refreshAfterConflict(namespace, object.getMetadata().getName(), refused);
            return false;
        }
    }

    boolean remove(String namespace, String name, String version) {
        try {
            // The client returns an empty list if there was no such object.
            boolean removed = !resource(namespace, name)
                    .lockResourceVersion(version)
                    .delete()
                    .isEmpty();
            cache.recordAbsent(namespace, name);
            return removed;
        } catch (KubernetesClientException refused) {
            refreshAfterConflict(namespace, name, refused);
            return false;
        }
    }

    private void refreshAfterConflict(String namespace, String name, KubernetesClientException refused) {
        int code = refused.getCode();
        if (code != HttpURLConnection.HTTP_CONFLICT && code != HttpURLConnection.HTTP_NOT_FOUND) {
            throw refused;
        }
        refresh(namespace, name);
    }

    /** Reads the object from the API server into the cache. */
    Optional<T> refresh(String namespace, String name) {
        Optional<T> found = fetch(namespace, name);
        found.ifPresentOrElse(cache::recordLatest, () -> cache.recordAbsent(namespace, name));
        return found;
    }

    private Resource<T> resource(String namespace, String name) {
        return namespace.isEmpty()
                ? client.resources(type).withName(name)
                : client.resources(type).inNamespace(namespace).withName(name);
    }
}
