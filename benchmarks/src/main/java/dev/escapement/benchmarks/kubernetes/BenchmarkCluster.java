package dev.escapement.benchmarks.kubernetes;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.LocalCluster;
import dev.escapement.testkit.cluster.LocalClusterOptions;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A cluster with the CRDs, RBAC and policy manifests of Escapement, as users apply them. */
final class BenchmarkCluster implements AutoCloseable {

    /** Namespace of the executions. */
    static final String REQUEST_NAMESPACE = "remediation";

    /** Namespace of the runs. */
    static final String RUN_NAMESPACE = "kubernaut-workflows";

    /** Namespace of the operator. */
    static final String OPERATOR_NAMESPACE = "kubernaut-system";

    /** User name of the operator in the audit log. */
    static final String OPERATOR_USER = "system:serviceaccount:kubernaut-system:escapement";

    private static final Path MANIFESTS = Path.of("deploy", "kubernetes");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final LocalCluster cluster;

    private BenchmarkCluster(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts a cluster with the real Tekton and a simulated kubelet. */
    static BenchmarkCluster startWithTekton(Consumer<String> progress) throws Exception {
        BenchmarkCluster cluster = start(progress);
        cluster.cluster.installTekton();
        cluster.cluster.startKubelet();
        return cluster.install();
    }

    /** Starts a cluster with Tekton's CRDs and without its controller. */
    static BenchmarkCluster startWithoutTekton(Consumer<String> progress) throws Exception {
        BenchmarkCluster cluster = start(progress);
        TektonCrds.install(cluster.admin());
        return cluster.install();
    }

    private static BenchmarkCluster start(Consumer<String> progress) {
        // Durable, as in production.
        return new BenchmarkCluster(LocalCluster.start(
                LocalClusterOptions.defaults().withDurability().withProgress(progress)));
    }

    private BenchmarkCluster install() {
        for (String file : List.of(
                "crds/workflowexecutions.yaml",
                "crds/remediationtargets.yaml",
                "crds/notificationrequests.yaml",
                "rbac.yaml",
                "config.yaml")) {
            cluster.apply(MANIFESTS.resolve(file));
        }
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(REQUEST_NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        for (String name : List.of("workflowexecutions", "remediationtargets", "notificationrequests")) {
            ConditionPoller.await(name + " are served", TIMEOUT, () -> isServed(name));
        }
        return this;
    }

    /** Just after a CRD is created, the API server refuses lists of its resources for a moment. */
    private boolean isServed(String name) {
        try {
            admin().raw("/apis/kubernaut.ai/v1alpha1/" + name + "?resourceVersion=0");
            return true;
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    /** Gives the operator the permissions that it needs for an audit sink. */
    void installAuditPermissions() {
        cluster.apply(MANIFESTS.resolve("audit.yaml"));
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    /** Returns the kubeconfig of the service account of the operator. */
    Kubeconfig operatorKubeconfig() {
        return cluster.kubeconfigFor(OPERATOR_NAMESPACE, "escapement");
    }

    /** Returns the audit log of the requests of the operator. */
    AuditLog auditLog() {
        return new AuditLog(cluster.auditLog(), OPERATOR_USER);
    }

    /** Changes the policy, which the operator watches. */
    void updatePolicy(Map<String, String> policy) {
        admin().configMaps()
                .inNamespace(OPERATOR_NAMESPACE)
                .withName("workflowexecution-config")
                .edit(map -> {
                    map.getData().putAll(policy);
                    return map;
                });
    }

    @Override
    public void close() {
        cluster.close();
    }
}
