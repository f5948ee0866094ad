package dev.escapement.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts the program with the arguments and environment of {@code operator.yaml}, as a kubelet would: with the address
 * of the API server, the token and certificate authority of the service account, and the volumes. Volumes are folders
 * of this test, and the port is a free one.
 */
@ExtendWith(ClusterExtension.class)
class OperatorDeploymentIT {

    private static final Path DEPLOY = Path.of("..", "deploy", "kubernetes", "operator.yaml");
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private final TestCluster cluster;
    private final Path folder;
    private final Container container;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    OperatorDeploymentIT(TestCluster cluster, @TempDir Path folder) throws IOException {
        this.cluster = cluster.installTekton();
        this.folder = folder;
        Deployment deployment = cluster.admin().load(Files.newInputStream(DEPLOY)).items().stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .findFirst()
                .orElseThrow();
        this.container =
                deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
        this.port = FreePorts.allocateOne();
    }

    /** Returns the folder that stands for a volume mount. */
    private Path mountFolder(VolumeMount mount) {
        return folder.resolve("volumes" + mount.getMountPath());
    }

    private String relocate(String value) {
        String declared = container.getPorts().get(0).getContainerPort().toString();
        Optional<VolumeMount> mount = container.getVolumeMounts().stream()
                .filter(each -> value.startsWith(each.getMountPath() + "/"))
                .findFirst();
        return mount.map(each ->
                        mountFolder(each) + value.substring(each.getMountPath().length()))
                .orElse(value.equals(declared) ? Integer.toString(port) : value);
    }

    private TestOperatorProcess startPod() throws IOException {
        OperatorHarness.install(cluster);
        for (VolumeMount mount : container.getVolumeMounts()) {
            Files.createDirectories(mountFolder(mount));
            if (mount.getName().equals("token")) {
                Files.writeString(mountFolder(mount).resolve("token"), TOKEN);
            }
        }
        var access = cluster.kubeconfigFor(OperatorHarness.SYSTEM_NAMESPACE, "escapement")
                .config();
        Path account = Files.writeString(folder.resolve("account-token"), access.getAutoOAuthToken());
        ProcessBuilder program = TestOperatorProcess.createProcess(
                List.of(
                        "-Dkubernetes.auth.serviceAccount.token=" + account,
                        "-Dkubernetes.certs.ca.file=" + access.getCaCertFile(),
                        "-Djava.io.tmpdir=" + folder.resolve("volumes/tmp")),
                container.getArgs());
        Map<String, String> environment = new HashMap<>();
        URI server = URI.create(cluster.cluster().apiAddress());
        environment.put("KUBERNETES_SERVICE_HOST", server.getHost());
        environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
        environment.put("HOME", folder.toString());
        for (EnvVar each : container.getEnv()) {
            environment.put(each.getName(), relocate(each.getValue()));
        }
        program.environment().clear();
        program.environment().putAll(environment);
        program.directory(Files.createDirectories(folder.resolve("work")).toFile());
        return TestOperatorProcess.start(program);
    }

    private int probe(Probe probe) {
        return get(probe.getHttpGet().getPath(), Optional.empty());
    }

    private int get(String path, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException notYet) {
            return 0;
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Test
    void startsAsInDeploymentPassesProbesAndRunsExecution() throws IOException, InterruptedException {
        cluster.admin()
                .leases()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName(LeaderElection.LEASE_NAME)
                .delete();
        try (TestOperatorProcess operator = startPod();
                OperatorHarness client = OperatorHarness.withoutOperator(cluster)) {
            assertThat(container.getReadinessProbe().getHttpGet().getPort().getStrVal())
                    .isEqualTo(container.getPorts().get(0).getName());
            ConditionPoller.await("it has started", () -> probe(container.getStartupProbe()) == 200);
            ConditionPoller.await("it is ready", () -> probe(container.getReadinessProbe()) == 200);
            assertThat(probe(container.getLivenessProbe())).isEqualTo(200);
            assertThat(get("/api/v1/executions", Optional.empty())).isEqualTo(401);
            assertThat(get("/api/v1/executions", Optional.of(TOKEN))).isEqualTo(200);

            String namespace = cluster.createNamespace("in-pod");
            client.createExecution(namespace, "good", namespace + "/deployment/a", "simulated.local/succeed");
            client.await(namespace, "good", "Completed");
            assertThat(cluster.admin()
                            .leases()
                            .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                            .withName(LeaderElection.LEASE_NAME)
                            .get())
                    .as("leader election is on by default in a pod")
                    .isNotNull();
            assertThat(operator.stop()).isZero();
        }
    }
}
