package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

/**
 * Which execution. The uid tells two executions apart that had the same name one after the other; the rest is for
 * people.
 *
 * @param namespace empty where there are no namespaces
 * @param name as the user named it
 * @param uid given by the store, never used again
 */
public record ExecutionRef(String namespace, String name, String uid) {

    /** None of them is null; name and uid are not empty. */
    public ExecutionRef {
        requireNonNull(namespace, "namespace is null");
        if (name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException(
                    "execution with name \"%s\" and uid \"%s\": both are needed".formatted(name, uid));
        }
    }

    /** Whether this is the execution with that uid. */
    public boolean hasUid(String thatUid) {
        return uid.equals(thatUid);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
