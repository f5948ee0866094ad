package dev.escapement.crashtests.cluster.judge;

import java.util.Optional;
import java.util.regex.Pattern;

/** A kind of object in the history. */
public enum EtcdObjectKind {
    /** {@code WorkflowExecution}. */
    EXECUTION("/registry/kubernaut.ai/workflowexecutions/"),

    /** {@code RemediationTarget}, an entry of the ledger. */
    ENTRY("/registry/kubernaut.ai/remediationtargets/"),

    /** {@code PipelineRun} or {@code Job}. */
    RUN("/registry/(tekton.dev/pipelineruns|jobs)/");

    private final Pattern prefix;

    EtcdObjectKind(String prefix) {
        this.prefix = Pattern.compile("^" + prefix);
    }

    /** Returns the kind of the object with that key in etcd. */
    public static Optional<EtcdObjectKind> of(String key) {
        for (EtcdObjectKind kind : values()) {
            if (kind.prefix.matcher(key).find()) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Returns namespace and name, or the name of a cluster-scoped object. */
    public String objectPath(String key) {
        return prefix.matcher(key).replaceFirst("");
    }
}
