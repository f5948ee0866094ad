package dev.escapement.kubernetes.store;

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
record Kept<T extends HasMetadata>(KubernetesClient client, Class<T> type, View<T> view) {

    /** From the API server itself. */
    Optional<T> read(String namespace, String name) {
        return Optional.ofNullable(at(namespace, name).get());
    }

    /** Returns whether the object was what the writer saw: not changed, created or deleted by somebody else. */
    boolean change(String namespace, String name, Function<Resource<T>, T> write) {
        try {
            view.learned(write.apply(at(namespace, name)));
            return true;
        } catch (KubernetesClientException refused) {
            lost(namespace, name, refused);
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
            view.learned(client.resource(object).create());
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
            lost(namespace, object.getMetadata().getName(), refused);
            return false;
        }
    }

    boolean remove(String namespace, String name, String version) {
        try {
            // The client answers with nothing, and throws nothing, if there was nothing.
            boolean removed =
                    !at(namespace, name).lockResourceVersion(version).delete().isEmpty();
            view.absent(namespace, name);
            return removed;
        } catch (KubernetesClientException refused) {
            lost(namespace, name, refused);
            return false;
        }
    }

    private void lost(String namespace, String name, KubernetesClientException refused) {
        int code = refused.getCode();
        if (code != HttpURLConnection.HTTP_CONFLICT && code != HttpURLConnection.HTTP_NOT_FOUND) {
            throw refused;
        }
        look(namespace, name);
    }

    /** From the API server itself, and the view learns of it. */
    Optional<T> look(String namespace, String name) {
        Optional<T> found = read(namespace, name);
        found.ifPresentOrElse(view::learned, () -> view.absent(namespace, name));
        return found;
    }

    private Resource<T> at(String namespace, String name) {
        return namespace.isEmpty()
                ? client.resources(type).withName(name)
                : client.resources(type).inNamespace(namespace).withName(name);
    }
}
