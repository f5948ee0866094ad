package dev.escapement.server.operator;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * An operator in this process on the shared test cluster. It uses the service account of an installation, with exactly
 * the resources and permissions of {@code deploy/kubernetes}. The tests act as the administrator.
 */
public final class OperatorHarness implements AutoCloseable {

    /** Namespace of the operator. */
    public static final String SYSTEM_NAMESPACE = "kubernaut-system";

    /** Namespace of the runs. */
    public static final String RUNS_NAMESPACE = "kubernaut-workflows";

    private static final Path DEPLOY = Path.of("..", "deploy", "kubernetes");

    private final TestCluster cluster;
    private final Optional<OperatorServer> operator;
    private final HttpClient http = HttpClient.newHttpClient();

    private OperatorHarness(TestCluster cluster, Optional<OperatorServer> operator) {
        this.cluster = cluster;
        this.operator = operator;
    }

    /** Applies the manifests that the operator needs. */
    public static void install(TestCluster cluster) {
        cluster.cluster().apply(DEPLOY.resolve("crds"));
        cluster.cluster().apply(DEPLOY.resolve("rbac.yaml"));
        ConditionPoller.await(
                "the API server offers them",
                () -> KubernetesClients.missingResourceKinds(cluster.admin()).isEmpty());
    }

    /**
     * Starts an operator without leader election that runs executions as Jobs, unless the flags say otherwise.
     *
     * @param flags by the names of the settings
     */
    public static OperatorHarness start(TestCluster cluster, Path folder, Map<String, String> flags) {
        install(cluster);
        return new OperatorHarness(cluster, Optional.of(OperatorServer.start(settings(cluster, folder, flags))));
    }

    /** Returns a harness without an operator, for the actions of users only. */
    public static OperatorHarness withoutOperator(TestCluster cluster) {
        install(cluster);
        return new OperatorHarness(cluster, Optional.empty());
    }

    /** Returns the settings of the operator. */
    public static Settings settings(TestCluster cluster, Path folder, Map<String, String> flags) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "kubeconfig",
                cluster.kubeconfigFor(SYSTEM_NAMESPACE, "escapement").file().toString(),
                "engine",
                "job",
                "leader-election",
                "off",
                "port",
                "0",
                "data",
                folder.toString()));
        all.putAll(flags);
        // Most tests are not about tokens.
        if (flags.keySet().stream().noneMatch(key -> key.startsWith("token"))) {
            all.putIfAbsent("authentication", "none");
        }
        return SettingsReader.read(new SettingsSources(all, Map.of(), folder, folder));
    }

    public OperatorServer operator() {
        return operator.orElseThrow();
    }

    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** Creates an execution, as kubectl does. */
    public UntypedExecution createExecution(String namespace, String name, String target, String image) {
        return createExecution(namespace, name, target, image, Map.of("engine", "job", "timeout", "5m"));
    }

    /** Creates an execution with another engine, service account or timeout. */
    public UntypedExecution createExecution(
            String namespace, String name, String target, String image, Map<String, Object> config) {
        UntypedExecution asked = new UntypedExecution();
        asked.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        asked.setSpec(Map.of(
                "workflowRef",
                Map.of("workflowId", "repair", "version", "1.0.0", "containerImage", image),
                "targetResource",
                target,
                "executionConfig",
                config));
        return admin().resource(asked).create();
    }

    public Resource<UntypedExecution> execution(String namespace, String name) {
        return admin().resources(UntypedExecution.class).inNamespace(namespace).withName(name);
    }

    public Resource<UntypedTarget> target(String objectName) {
        return admin().resources(UntypedTarget.class).withName(objectName);
    }

    /** Waits until the execution is in that phase. */
    public UntypedExecution await(String namespace, String name, String phase) {
        return await(execution(namespace, name), found -> phase(found).equals(phase));
    }

    /** Waits until the execution exists and satisfies the condition. */
    public <T> T await(Resource<T> resource, Predicate<T> condition) {
        return Objects.requireNonNull(resource.waitUntilCondition(
                found -> found != null && condition.test(found),
                TestCluster.TIMEOUT.toMillis(),
                TimeUnit.MILLISECONDS));
    }

    public static String phase(UntypedExecution execution) {
        return Optional.ofNullable(execution.getStatus())
                .map(status -> String.valueOf(status.get("phase")))
                .orElse("");
    }

    /** Returns the response of the REST API. */
    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(resolve(path)).GET());
    }

    public HttpResponse<String> post(String path, String json) {
        return send(HttpRequest.newBuilder(resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public HttpResponse<String> delete(String path) {
        return send(HttpRequest.newBuilder(resolve(path)).DELETE());
    }

    private URI resolve(String path) {
        return operator().address().resolve(path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new AssertionError("the operator does not respond", failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        operator.ifPresent(OperatorServer::close);
    }
}
