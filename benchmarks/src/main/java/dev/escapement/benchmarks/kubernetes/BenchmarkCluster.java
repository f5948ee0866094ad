package dev.escapement.benchmarks.kubernetes;

import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.LocalCluster;
import dev.escapement.testkit.cluster.LocalClusterOptions;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A cluster on which Escapement's resources, rights and settings are installed from the files that people apply. */
final class BenchmarkCluster implements AutoCloseable {

    /** Where requests are made. */
    static final String REQUEST_NAMESPACE = "remediation";

    /** Where runs are. */
    static final String RUN_NAMESPACE = "kubernaut-workflows";

    /** Where the operator lives. */
    static final String OPERATOR_NAMESPACE = "kubernaut-system";

    /** Who the operator is. */
    static final String OPERATOR_USER = "system:serviceaccount:kubernaut-system:escapement";

    private static final Path MANIFESTS = Path.of("deploy", "kubernetes");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final LocalCluster cluster;

    private BenchmarkCluster(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** With the real Tekton and a simulated kubelet. */
    static BenchmarkCluster startWithTekton(Consumer<String> progress) throws Exception {
        BenchmarkCluster site = start(progress);
        site.cluster.installTekton();
        site.cluster.startKubelet();
        return site.install();
    }

    /** With Tekton's resource definitions and nobody who acts on them. */
    static BenchmarkCluster startWithoutTekton(Consumer<String> progress) throws Exception {
        BenchmarkCluster site = start(progress);
        TektonCrds.install(site.admin());
        return site.install();
    }

    private static BenchmarkCluster start(Consumer<String> progress) {
        // Durable, as in production.
        return new BenchmarkCluster(LocalCluster.start(
                LocalClusterOptions.defaults().withDurability().withProgress(progress)));
    }

    private BenchmarkCluster install() throws Exception {
        for (String file :
                List.of("crds/workflowexecutions.yaml", "crds/remediationtargets.yaml", "rbac.yaml", "config.yaml")) {
            apply(MANIFESTS.resolve(file));
        }
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(REQUEST_NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        for (String name : List.of("workflowexecutions", "remediationtargets")) {
            BenchmarkWait.waitUntil(() -> isServed(name), TIMEOUT, name + " are not served");
        }
        return this;
    }

    /** An API server that has just heard of a resource refuses lists of it for a moment. */
    private boolean isServed(String name) {
        try {
            admin().raw("/apis/kubernaut.ai/v1alpha1/" + name + "?resourceVersion=0");
            return true;
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    private void apply(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            admin().load(in).serverSideApply();
        }
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    /** The operator's identity. */
    Kubeconfig operatorKubeconfig() {
        return cluster.kubeconfigFor(OPERATOR_NAMESPACE, "escapement");
    }

    /** What the operator asked for. */
    AuditLog auditLog() {
        return new AuditLog(cluster.auditLog(), OPERATOR_USER);
    }

    /** Changes settings that the operator reads while it runs. */
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
