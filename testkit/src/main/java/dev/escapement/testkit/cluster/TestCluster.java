package dev.escapement.testkit.cluster;

import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The cluster that all tests of one JVM share, with a simulated node and a registry for bundles. It is started for the
 * first test that needs it and stops with the JVM. Tests are separated by namespaces: see {@link #createNamespace}.
 */
public final class TestCluster {

    /** Long enough for a busy machine, short enough to end a test that hangs. */
    public static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static Optional<TestCluster> shared = Optional.empty();

    private final LocalCluster cluster;
    private final SimulatedKubelet kubelet;
    private final BundleRegistry registry = BundleRegistry.start();
    private final AtomicInteger namespaceCount = new AtomicInteger();

    private TestCluster(LocalCluster cluster) {
        this.cluster = cluster;
        this.kubelet = cluster.startKubelet();
    }

    /**
     * Returns the cluster of this JVM. Tests get it from {@link ClusterExtension}, which skips them without programs.
     */
    public static synchronized TestCluster shared() {
        if (shared.isEmpty()) {
            shared = Optional.of(new TestCluster(LocalCluster.start(LocalClusterOptions.defaults())));
        }
        return shared.get();
    }

    /** Starts a cluster for tests that inject faults; the caller must close its {@link #cluster()}. */
    public static TestCluster startSeparate() {
        return new TestCluster(LocalCluster.start(LocalClusterOptions.defaults()));
    }

    /** Installs Tekton and returns this cluster. */
    public TestCluster installTekton() {
        cluster.installTekton();
        return this;
    }

    public LocalCluster cluster() {
        return cluster;
    }

    /** Returns the client of the administrator. */
    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** Returns the simulated node. */
    public SimulatedKubelet kubelet() {
        return kubelet;
    }

    /** Returns the registry of the bundles. */
    public BundleRegistry registry() {
        return registry;
    }

    /** Creates a namespace for one test, ready for pods. */
    public String createNamespace() {
        return createNamespace("test");
    }

    /** Creates a namespace whose name has this prefix. */
    public String createNamespace(String prefix) {
        String name = prefix + "-" + namespaceCount.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        // The controller manager creates it; without it the API server refuses pods.
        admin().serviceAccounts()
                .inNamespace(name)
                .withName("default")
                .waitUntilCondition(account -> account != null, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return name;
    }

    /** Returns the kubeconfig of a service account. */
    public Kubeconfig kubeconfigFor(String namespace, String serviceAccount) {
        return cluster.kubeconfigFor(namespace, serviceAccount);
    }

    /** Returns an object of any kind. */
    public Resource<GenericKubernetesResource> resource(String apiVersion, String kind, String namespace, String name) {
        return admin().genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name);
    }

    /** Creates an object from YAML. */
    public GenericKubernetesResource create(String yaml) {
        return admin().resource(admin().getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    /** Waits until an object exists and satisfies the condition; fails after {@link #TIMEOUT}. */
    public <T> T await(Resource<T> object, Predicate<T> condition) {
        return object.waitUntilCondition(
                each -> each != null && condition.test(each), TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
