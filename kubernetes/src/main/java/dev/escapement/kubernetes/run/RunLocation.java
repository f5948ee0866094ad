package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.RunRef;

/**
 * The location of a run as its reference gives it: {@code job/NAMESPACE/NAME}. It includes the namespace because an
 * operator that reads another namespace would not find the run and would treat it as deleted.
 *
 * @param kind the prefix of its executor, such as {@code job}; empty if the reference has only a name
 */
record RunLocation(String kind, String namespace, String name) {

    private static final String SEPARATOR = "/";
    private static final int PART_COUNT = 3;

    /** @param defaultNamespace for a reference without a namespace */
    static RunLocation of(RunRef run, String defaultNamespace) {
        String[] parts = run.name().split(SEPARATOR, PART_COUNT);
        return parts.length == PART_COUNT
                ? new RunLocation(parts[0], parts[1], parts[2])
                : new RunLocation(parts.length == 1 ? "" : parts[0], defaultNamespace, parts[parts.length - 1]);
    }

    /** Returns the command that prints the output of the pods with these labels. */
    String logCommand(String selector) {
        return "kubectl logs -n %s -l %s --all-containers --prefix --tail=-1".formatted(namespace, selector);
    }

    String toReference() {
        return String.join(SEPARATOR, kind, namespace, name);
    }
}
