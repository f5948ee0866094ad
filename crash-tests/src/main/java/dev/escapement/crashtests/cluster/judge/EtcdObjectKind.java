package dev.escapement.crashtests.cluster.judge;

import java.util.Optional;
import java.util.regex.Pattern;

/** What the history is about. */
public enum EtcdObjectKind {
    /** {@code WorkflowExecution}. */
    EXECUTION("/registry/kubernaut.ai/workflowexecutions/"),

    /** {@code RemediationTarget}, the ledger. */
    ENTRY("/registry/kubernaut.ai/remediationtargets/"),

    /** {@code PipelineRun} or {@code Job}. */
    RUN("/registry/(tekton.dev/pipelineruns|jobs)/");

    private final Pattern prefix;

    EtcdObjectKind(String prefix) {
        this.prefix = Pattern.compile("^" + prefix);
    }

    /** The kind of what is kept under that key of etcd. */
    public static Optional<EtcdObjectKind> of(String key) {
        for (EtcdObjectKind kind : values()) {
            if (kind.prefix.matcher(key).find()) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Namespace and name, or the name alone. */
    public String objectPath(String key) {
        return prefix.matcher(key).replaceFirst("");
    }
}
