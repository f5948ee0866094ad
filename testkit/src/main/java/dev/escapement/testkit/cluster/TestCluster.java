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
 * The cluster that all tests of one JVM share, with a simulated node and a registry for bundles. It is started when the
 * first test asks for it and ends with the JVM. Tests stay apart by namespaces: see {@link #createNamespace}.
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

    /** The one of this JVM. Tests get it from {@link ClusterExtension}, which knows when there can be none. */
    public static synchronized TestCluster shared() {
        if (shared.isEmpty()) {
            shared = Optional.of(new TestCluster(LocalCluster.start(LocalClusterOptions.defaults())));
        }
        return shared.get();
    }

    /** Another one, for tests that break it; whoever takes it closes its {@link #cluster()}. */
    public static TestCluster startSeparate() {
        return new TestCluster(LocalCluster.start(LocalClusterOptions.defaults()));
    }

    /** The same, with Tekton. */
    public TestCluster installTekton() {
        cluster.installTekton();
        return this;
    }

    /** The cluster itself. */
    public LocalCluster cluster() {
        return cluster;
    }

    /** The administrator's client. */
    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** The node that runs nothing. */
    public SimulatedKubelet kubelet() {
        return kubelet;
    }

    /** Where bundles come from. */
    public BundleRegistry registry() {
        return registry;
    }

    /** A namespace that nobody else uses, ready for pods. */
    public String createNamespace() {
        return createNamespace("test");
    }

    /** The same with a name that begins so. */
    public String createNamespace(String prefix) {
        String name = prefix + "-" + namespaceCount.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        // Without it the API server refuses pods; the controller manager makes it.
        admin().serviceAccounts()
                .inNamespace(name)
                .withName("default")
                .waitUntilCondition(account -> account != null, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return name;
    }

    /** The access of a service account. */
    public Kubeconfig kubeconfigFor(String namespace, String serviceAccount) {
        return cluster.kubeconfigFor(namespace, serviceAccount);
    }

    /** An object of any kind, by the words that one would use in YAML. */
    public Resource<GenericKubernetesResource> resource(String apiVersion, String kind, String namespace, String name) {
        return admin().genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name);
    }

    /** Creates what the YAML says. */
    public GenericKubernetesResource create(String yaml) {
        return admin().resource(admin().getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    /** Waits for an object to be as it should; fails after {@link #TIMEOUT}. */
    public <T> T await(Resource<T> object, Predicate<T> condition) {
        return object.waitUntilCondition(
                each -> each != null && condition.test(each), TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
