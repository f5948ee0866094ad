package dev.escapement.benchmarks.clustercrash.judge;

import java.util.List;
import java.util.Optional;

/** What the history is about. */
public enum Kind {
    /** {@code WorkflowExecution}. */
    EXECUTION("/registry/kubernaut.ai/workflowexecutions/"),

    /** {@code RemediationTarget}, the ledger. */
    ENTRY("/registry/kubernaut.ai/remediationtargets/"),

    /** {@code PipelineRun} or {@code Job}. */
    RUN("/registry/tekton.dev/pipelineruns/", "/registry/jobs/");

    private final List<String> prefixes;

    Kind(String... prefixes) {
        this.prefixes = List.of(prefixes);
    }

    /** The kind of what is kept under that key of etcd. */
    public static Optional<Kind> of(String key) {
        for (Kind kind : values()) {
            if (kind.prefixes.stream().anyMatch(key::startsWith)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Namespace and name, or the name alone. */
    public String path(String key) {
        return prefixes.stream()
                .filter(key::startsWith)
                .findFirst()
                .map(prefix -> key.substring(prefix.length()))
                .orElse(key);
    }
}
