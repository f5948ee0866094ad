package dev.escapement.server.config;

import static dev.escapement.server.config.SettingParsers.namespace;
import static dev.escapement.server.config.SettingParsers.oneOf;
import static dev.escapement.server.config.SettingParsers.optionalPath;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The settings of the operator. */
public final class OperatorSettings {

    public static final Setting<Optional<Path>> KUBECONFIG = Setting.of(
            "kubeconfig",
            "",
            "`operator`: kubeconfig file of the cluster; without it `KUBECONFIG`, the service account of the"
                    + " pod, or `~/.kube/config`",
            optionalPath());

    public static final Setting<String> NAMESPACE = Setting.of(
            "namespace",
            "kubernaut-system",
            "`operator`: namespace of its ConfigMap and of the lease of the leader",
            namespace());

    public static final Setting<String> EXECUTION_NAMESPACE =
            Setting.of("execution-namespace", "kubernaut-workflows", "`operator`: namespace of all runs", namespace());

    public static final Setting<String> ENGINE = Setting.of(
            "engine",
            "tekton",
            "`operator`: engine of executions that do not name one: `tekton` or `job`",
            oneOf("tekton", "job"));

    public static final Setting<String> LEADER_ELECTION = Setting.of(
            "leader-election",
            "auto",
            "`operator`: whether only one of several replicas reconciles: `on`, `off`, or `auto` for on in a pod",
            oneOf("auto", "on", "off"));

    /** In the order of the documentation. */
    public static final List<Setting<?>> ALL =
            List.of(KUBECONFIG, NAMESPACE, EXECUTION_NAMESPACE, ENGINE, LEADER_ELECTION);

    private OperatorSettings() {}
}
