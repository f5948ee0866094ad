package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

/**
 * Identifies an execution. Only the uid is unique: a name can be used again after a deletion.
 *
 * @param namespace empty where there are no namespaces
 * @param name not empty
 * @param uid assigned by the store, never reused, not empty
 */
public record ExecutionRef(String namespace, String name, String uid) {

    public ExecutionRef {
        requireNonNull(namespace, "namespace is null");
        if (name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException(
                    "execution with name \"%s\" and uid \"%s\": both are needed".formatted(name, uid));
        }
    }

    public boolean hasUid(String other) {
        return uid.equals(other);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
