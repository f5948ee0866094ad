package dev.escapement.server.config;

import static dev.escapement.server.config.SettingParsers.namespace;
import static dev.escapement.server.config.SettingParsers.oneOf;
import static dev.escapement.server.config.SettingParsers.optionalPath;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What can be set of the operator. */
public final class OperatorSettings {

    /** Which cluster. */
    public static final Setting<Optional<Path>> KUBECONFIG = Setting.of(
            "kubeconfig",
            "",
            "`operator`: file that says how to reach the cluster; without it `KUBECONFIG`, the service account of the"
                    + " pod, or `~/.kube/config`",
            optionalPath());

    /** Where the operator lives. */
    public static final Setting<String> NAMESPACE = Setting.of(
            "namespace",
            "kubernaut-system",
            "`operator`: namespace of its ConfigMap and of the lease of whoever leads",
            namespace());

    /** Where runs live. */
    public static final Setting<String> EXECUTION_NAMESPACE =
            Setting.of("execution-namespace", "kubernaut-workflows", "`operator`: namespace of all runs", namespace());

    /** What runs workflows. */
    public static final Setting<String> ENGINE = Setting.of(
            "engine",
            "tekton",
            "`operator`: what runs executions that do not say: `tekton` or `job`",
            oneOf("tekton", "job"));

    /** Whether only one of several replicas works. */
    public static final Setting<String> LEADER_ELECTION = Setting.of(
            "leader-election",
            "auto",
            "`operator`: whether one of several replicas works and the others wait: `on`, `off`, or `auto` for on in a"
                    + " pod",
            oneOf("auto", "on", "off"));

    /** All of them, in the order of the documentation. */
    public static final List<Setting<?>> ALL =
            List.of(KUBECONFIG, NAMESPACE, EXECUTION_NAMESPACE, ENGINE, LEADER_ELECTION);

    private OperatorSettings() {}
}
