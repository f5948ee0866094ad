package dev.escapement.kubernetes.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Utils;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads objects of one kind from the API server and writes them, and records every response in the cache. Namespaces
 * are empty for objects without one.
 */
public record ResourceWriter<T extends HasMetadata>(KubernetesClient client, Class<T> type, ResourceCache<T> cache) {

    /** Reads the object from the API server; the cache stays as it is. */
    public Optional<T> fetch(String namespace, String name) {
        return Optional.ofNullable(resource(namespace, name).get());
    }

    /** Reads the object from the API server into the cache. */
    public Optional<T> refresh(String namespace, String name) {
        Optional<T> found = fetch(namespace, name);
        found.ifPresentOrElse(cache::recordLatest, () -> cache.recordAbsent(namespace, name));
        return found;
    }

    /** Creates the object; throws what the client throws. */
    public T create(T object) {
        T created = client.resource(object).create();
        cache.recordLatest(created);
        return created;
    }

    /** Deletes the object under its resource version, which no other object ever has. Returns false if it is gone. */
    public boolean delete(T object) {
        var meta = object.getMetadata();
        boolean deleted = delete(meta.getNamespace(), meta.getName(), meta.getResourceVersion());
        cache.recordDeleted(object);
        return deleted;
    }

    /** Writes the object. Returns false, and refreshes the cache, if it was changed, created or deleted meanwhile. */
    public boolean tryWrite(T object, Function<Resource<T>, T> write) {
        var meta = object.getMetadata();
        String namespace = Objects.requireNonNullElse(meta.getNamespace(), "");
        return tryWrite(namespace, meta.getName(), () -> write.apply(client.resource(object)));
    }

    /** Does the same for a write that needs only the name of the object. */
    public boolean tryWrite(String namespace, String name, Supplier<T> write) {
        try {
            cache.recordLatest(write.get());
            return true;
        } catch (KubernetesClientException refused) {
            return refreshAfterConflict(namespace, name, refused);
        }
    }

    /**
     * Creates the object. Returns false, and refreshes the cache, if an object of that name exists.
     *
     * @throws KubernetesClientException with code 404 if its namespace does not exist
     */
    public boolean tryCreate(T object) {
        try {
            create(object);
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
            var meta = object.getMetadata();
            return refreshAfterConflict(meta.getNamespace(), meta.getName(), refused);
        }
    }

    /** Deletes the object under that version. Returns false, and refreshes the cache, if it has another one. */
    public boolean tryDelete(String namespace, String name, String version) {
        try {
            boolean deleted = delete(namespace, name, version);
            cache.recordAbsent(namespace, name);
            return deleted;
        } catch (KubernetesClientException refused) {
            return refreshAfterConflict(namespace, name, refused);
        }
    }

    /** Makes sure that the next attempt does not fail on the same stale read. Always returns false. */
    private boolean refreshAfterConflict(String namespace, String name, KubernetesClientException refused) {
        int code = refused.getCode();
        if (code != HttpURLConnection.HTTP_CONFLICT && code != HttpURLConnection.HTTP_NOT_FOUND) {
            throw refused;
        }
        refresh(namespace, name);
        return false;
    }

    private boolean delete(String namespace, String name, String version) {
        // The client returns an empty list if there was no such object.
        return !resource(namespace, name).lockResourceVersion(version).delete().isEmpty();
    }

    public Resource<T> resource(String namespace, String name) {
        return Utils.isNullOrEmpty(namespace)
                ? client.resources(type).withName(name)
                : client.resources(type).inNamespace(namespace).withName(name);
    }
}
