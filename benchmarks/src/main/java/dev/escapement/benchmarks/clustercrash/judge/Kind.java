package dev.escapement.benchmarks.clustercrash.judge;

import java.util.Optional;

/** What the history is about. */
public enum Kind {
    /** {@code WorkflowExecution}. */
    EXECUTION("/registry/kubernaut.ai/workflowexecutions/"),

    /** {@code RemediationTarget}, the ledger. */
    ENTRY("/registry/kubernaut.ai/remediationtargets/"),

    /** {@code PipelineRun}. */
    RUN("/registry/tekton.dev/pipelineruns/");

    private final String prefix;

    Kind(String prefix) {
        this.prefix = prefix;
    }

    /** The kind of what is kept under that key of etcd. */
    public static Optional<Kind> of(String key) {
        for (Kind kind : values()) {
            if (key.startsWith(kind.prefix)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Namespace and name, or the name alone. */
    public String path(String key) {
        return key.substring(prefix.length());
    }
}
