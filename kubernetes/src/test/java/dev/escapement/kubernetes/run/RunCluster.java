package dev.escapement.kubernetes.run;

import dev.escapement.cluster.Binaries;
import dev.escapement.cluster.BundleRegistry;
import dev.escapement.cluster.Cluster;
import dev.escapement.cluster.ClusterSettings;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * One real cluster with a real Tekton for all tests of this JVM; only its kubelet is simulated. Where its programs are
 * missing the tests are skipped, loudly; in CI they fail.
 */
public final class RunCluster {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Optional<RunCluster> SHARED = start();

    private final Cluster cluster;
    private final BundleRegistry registry;

    private RunCluster(Cluster cluster) {
        this.cluster = cluster;
        this.registry = BundleRegistry.start();
    }

    private static Optional<RunCluster> start() {
        Binaries binaries = Binaries.ofThisProcess();
        if (!binaries.missing().isEmpty()) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError("a cluster must start in CI: " + binaries.howToGet());
            }
            System.err.println("SKIPPED: no test runs on a cluster: " + binaries.howToGet());
            return Optional.empty();
        }
        Cluster cluster = Cluster.start(ClusterSettings.standard());
        cluster.installTekton();
        cluster.startKubelet();
        return Optional.of(new RunCluster(cluster));
    }

    /** The cluster, or the test is skipped. */
    public static RunCluster shared() {
        Assumptions.assumeTrue(SHARED.isPresent(), "the programs of a cluster are missing here");
        return SHARED.orElseThrow();
    }

    /** May do everything. */
    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** May do what that service account may. */
    public KubernetesClient as(String namespace, String serviceAccount) {
        return cluster.tokenFor(namespace, serviceAccount).client();
    }

    /** Where bundles are. */
    public BundleRegistry registry() {
        return registry;
    }

    /** A new namespace in which pods can be created. */
    public String namespace() {
        String name = "runs-" + NUMBER.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Eventually.holds(
                "the default service account of " + name,
                () -> admin().serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
        return name;
    }
}
