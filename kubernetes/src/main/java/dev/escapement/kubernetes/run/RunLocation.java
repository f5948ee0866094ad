package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.RunRef;

/**
 * Where a run is, as its reference says: {@code job/NAMESPACE/NAME}. The namespace is part of it, because an operator
 * that looks elsewhere finds nothing there, and nothing found would mean that somebody has deleted the run.
 *
 * @param kind the prefix of its executor, such as {@code job}
 */
record RunLocation(String kind, String namespace, String name) {

    private static final String SEPARATOR = "/";
    private static final int PART_COUNT = 3;

    /**
     * Where that run is.
     *
     * @param ours the namespace of a reference that names none
     */
    static RunLocation of(RunRef run, String ours) {
        String[] parts = run.name().split(SEPARATOR, PART_COUNT);
        return parts.length == PART_COUNT
                ? new RunLocation(parts[0], parts[1], parts[2])
                : new RunLocation(parts[0], ours, parts[parts.length - 1]);
    }

    String toReference() {
        return String.join(SEPARATOR, kind, namespace, name);
    }
}
