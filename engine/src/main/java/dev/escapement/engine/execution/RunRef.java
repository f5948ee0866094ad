package dev.escapement.engine.execution;

/**
 * Identifies a run. Only the uid is unique: a later run may have the same name.
 *
 * @param name not empty
 * @param uid assigned when the run was prepared, never reused, not empty
 */
public record RunRef(String name, String uid) {

    public RunRef {
        if (name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException(
                    "run with name \"%s\" and uid \"%s\": both are needed".formatted(name, uid));
        }
    }
}
