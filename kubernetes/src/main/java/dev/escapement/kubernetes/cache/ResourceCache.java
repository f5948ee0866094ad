package dev.escapement.kubernetes.cache;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of the objects of one kind without asking the API server: what the watch has told, or what our own
 * writes have returned if that is newer. It may be old; whoever decides on it writes under the version that it shows.
 */
public interface ResourceCache<T> {

    /** The object of that name; the namespace of a cluster-scoped one is empty. */
    Optional<T> get(String namespace, String name);

    /** All of them, in no order. */
    Stream<T> all();

    /** The API server has answered a write or a read with this. */
    void recordLatest(T object);

    /** The API server has said that there is none of that name. */
    void recordAbsent(String namespace, String name);
}
