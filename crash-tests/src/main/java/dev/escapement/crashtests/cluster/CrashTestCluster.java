package dev.escapement.crashtests.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.testkit.cluster.BundleRegistry;
import dev.escapement.testkit.cluster.CrdStatus;
import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.LocalCluster;
import dev.escapement.testkit.cluster.LocalClusterOptions;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A real cluster with Tekton, the manifests of the operator, and a policy with short times. */
final class CrashTestCluster implements AutoCloseable {

    static final Duration COOLDOWN = Duration.ofMillis(400);
    static final int MAX_FAILURES = 5;
    static final Duration EXECUTOR_TIMEOUT = Duration.ofMinutes(2);
    static final List<String> NAMESPACES = List.of("team-a", "team-b", "team-c");

    private static final String OPERATOR_NAMESPACE = "kubernaut-system";
    private static final String POLICY_NAME = "workflowexecution-config";
    private static final List<String> MANIFESTS = List.of(
            "crds/workflowexecutions.yaml",
            "crds/remediationtargets.yaml",
            "crds/notificationrequests.yaml",
            "rbac.yaml",
            "audit.yaml");

    private final LocalCluster cluster;
    private final BundleRegistry registry = BundleRegistry.start();

    CrashTestCluster(Path manifests, Consumer<String> progress) {
        cluster = LocalCluster.start(
                LocalClusterOptions.defaults().withJsonStorage().withProgress(progress));
        try {
            cluster.installTekton();
            cluster.startKubelet();
            for (String file : MANIFESTS) {
                cluster.apply(manifests.resolve(file));
            }
            CrdStatus.awaitEstablished(
                    admin(),
                    "workflowexecutions.kubernaut.ai",
                    "remediationtargets.kubernaut.ai",
                    "notificationrequests.kubernaut.ai");
            NAMESPACES.forEach(this::addNamespace);
            applyShortPolicy();
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private void addNamespace(String name) {
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Creates the policy, with seconds instead of minutes. */
    private void applyShortPolicy() {
        admin().resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(POLICY_NAME)
                        .withNamespace(OPERATOR_NAMESPACE)
                        .endMetadata()
                        .withData(Map.of(
                                "cooldown-period",
                                COOLDOWN.toMillis() + "ms",
                                "base-cooldown-period",
                                "200ms",
                                "max-cooldown-period",
                                "2s",
                                "max-consecutive-failures",
                                Integer.toString(MAX_FAILURES)))
                        .build())
                .create();
    }

    /** Changes the policy. */
    void setExecutorTimeout(Duration timeout) {
        admin().configMaps()
                .inNamespace(OPERATOR_NAMESPACE)
                .withName(POLICY_NAME)
                .edit(policy -> {
                    policy.getData().put("executor-timeout", timeout.toSeconds() + "s");
                    return policy;
                });
    }

    /** Returns the current revision of etcd. */
    long revision() {
        return Long.parseLong(admin().namespaces().list().getMetadata().getResourceVersion());
    }

    LocalCluster cluster() {
        return cluster;
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    CrashTestWorkflows workflows() {
        return new CrashTestWorkflows(registry);
    }

    /** Returns the kubeconfig of the service account of the operator. */
    Kubeconfig operatorKubeconfig() {
        return cluster.kubeconfigFor(OPERATOR_NAMESPACE, "escapement");
    }

    /** Returns the Events that the operator has created. */
    List<JsonNode> events() throws IOException {
        List<Event> events = admin().v1()
                .events()
                .inAnyNamespace()
                .withLabel("app.kubernetes.io/managed-by", "escapement")
                .list()
                .getItems();
        return toJson(events);
    }

    /** Returns the notifications that the operator has created. */
    List<JsonNode> notifications() throws IOException {
        return toJson(admin().genericKubernetesResources("kubernaut.ai/v1alpha1", "NotificationRequest")
                .inAnyNamespace()
                .list()
                .getItems());
    }

    private static List<JsonNode> toJson(List<?> resources) throws IOException {
        return JsonMapper.builder()
                .build()
                .readTree(new KubernetesSerialization().asJson(resources))
                .valueStream()
                .toList();
    }

    @Override
    public void close() {
        registry.close();
        cluster.close();
    }
}
