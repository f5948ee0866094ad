package dev.escapement.benchmarks.kubernetes;

import dev.escapement.cluster.Access;
import dev.escapement.cluster.Cluster;
import dev.escapement.cluster.ClusterSettings;
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
final class Site implements AutoCloseable {

    /** Where requests are made. */
    static final String REQUESTS = "remediation";

    /** Where runs are. */
    static final String RUNS = "kubernaut-workflows";

    /** Where the operator lives. */
    static final String HOME = "kubernaut-system";

    /** Who the operator is. */
    static final String USER = "system:serviceaccount:kubernaut-system:escapement";

    private static final Path MANIFESTS = Path.of("deploy", "kubernetes");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;

    private Site(Cluster cluster) {
        this.cluster = cluster;
    }

    /** With the real Tekton and a simulated kubelet. */
    static Site withTekton(Consumer<String> progress) throws Exception {
        Site site = start(progress);
        site.cluster.installTekton();
        site.cluster.startKubelet();
        return site.install();
    }

    /** With Tekton's resource definitions and nobody who acts on them. */
    static Site withoutTekton(Consumer<String> progress) throws Exception {
        Site site = start(progress);
        TektonDefinitions.install(site.admin());
        return site.install();
    }

    private static Site start(Consumer<String> progress) {
        // Durable, as in production.
        return new Site(
                Cluster.start(ClusterSettings.standard().withDurability().withProgress(progress)));
    }

    private Site install() throws Exception {
        for (String file :
                List.of("crds/workflowexecutions.yaml", "crds/remediationtargets.yaml", "rbac.yaml", "config.yaml")) {
            apply(MANIFESTS.resolve(file));
        }
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(REQUESTS)
                        .endMetadata()
                        .build())
                .create();
        for (String name : List.of("workflowexecutions", "remediationtargets")) {
            Await.until(() -> isServed(name), PATIENCE, name + " are not served");
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
    Access access() {
        return cluster.tokenFor(HOME, "escapement");
    }

    /** What the operator asked for. */
    AuditLog log() {
        return new AuditLog(cluster.auditLog(), USER);
    }

    /** Changes settings that the operator reads while it runs. */
    void set(Map<String, String> policy) {
        admin().configMaps()
                .inNamespace(HOME)
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
