package dev.escapement.benchmarks.clustercrash.judge;

import java.util.Optional;
import java.util.regex.Pattern;

/** What the history is about. */
public enum Kind {
    /** {@code WorkflowExecution}. */
    EXECUTION("/registry/kubernaut.ai/workflowexecutions/"),

    /** {@code RemediationTarget}, the ledger. */
    ENTRY("/registry/kubernaut.ai/remediationtargets/"),

    /** {@code PipelineRun} or {@code Job}. */
    RUN("/registry/(tekton.dev/pipelineruns|jobs)/");

    private final Pattern prefix;

    Kind(String prefix) {
        this.prefix = Pattern.compile("^" + prefix);
    }

    /** The kind of what is kept under that key of etcd. */
    public static Optional<Kind> of(String key) {
        for (Kind kind : values()) {
            if (kind.prefix.matcher(key).find()) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Namespace and name, or the name alone. */
    public String path(String key) {
        return prefix.matcher(key).replaceFirst("");
    }
}
