package dev.escapement.engine.execution;

/**
 * Which run. The uid is what counts: a run that was made later may have the same name.
 *
 * @param name where it can be found
 * @param uid given when it was prepared, never used again
 */
public record RunRef(String name, String uid) {

    /** Neither is empty. */
    public RunRef {
        if (name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException(
                    "run with name \"%s\" and uid \"%s\": both are needed".formatted(name, uid));
        }
    }
}
