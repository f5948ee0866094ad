package dev.escapement.kubernetes.store;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Supplier;

/** What the API server's answers mean to a compare-and-set. */
final class Api {

    private Api() {}

    /**
     * What was written; empty if the object is not, or no longer, what the writer saw: it was changed, created or
     * deleted by somebody else. Anything else is trouble, and thrown.
     */
    static <T> Optional<T> compareAndSet(Supplier<T> write) {
        try {
            return Optional.of(write.get());
        } catch (KubernetesClientException refused) {
            if (isConflict(refused.getCode())) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** What was created; empty if there is one of that name. A namespace that is not there is trouble. */
    static <T> Optional<T> create(Supplier<T> write) {
        try {
            return Optional.of(write.get());
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private static boolean isConflict(int code) {
        return code == HttpURLConnection.HTTP_CONFLICT || code == HttpURLConnection.HTTP_NOT_FOUND;
    }
}
