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
 * Objects of one kind, changed by compare-and-set. Whoever loses learns what is there now, so that the next try does
 * not lose to the same old view.
 */
record ResourceWriter<T extends HasMetadata>(KubernetesClient client, Class<T> type, ResourceCache<T> cache) {

    /** From the API server itself. */
    Optional<T> fetch(String namespace, String name) {
        return Optional.ofNullable(resource(namespace, name).get());
    }

    /** Returns whether the object was what the writer saw: not changed, created or deleted by somebody else. */
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
     * Returns whether it was created. What has to be there first, such as its namespace, is missing as an exception.
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
            // The client answers with nothing, and throws nothing, if there was nothing.
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

    /** From the API server itself, and the view learns of it. */
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
