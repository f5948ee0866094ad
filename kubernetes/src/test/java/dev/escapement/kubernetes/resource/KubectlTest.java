package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.Binaries;
import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What people see who use the real {@code kubectl}. */
@ExtendWith(ClusterExtension.class)
class KubectlTest {

    private static final String ASKED = """
            apiVersion: kubernaut.ai/v1alpha1
            kind: WorkflowExecution
            metadata:
              name: fix-1
            spec:
              workflowRef:
                workflowId: clean-disk
              targetResource: TARGET
            """;

    private final Applied applied;
    private final Path kubeconfig;

    @TempDir
    Path folder = Path.of("");

    KubectlTest(TestCluster cluster) {
        applied = new Applied(cluster);
        kubeconfig = cluster.cluster().kubeconfig();
    }

    @BeforeEach
    void aDiscoveryOfItsOwn() throws IOException {
        Files.createDirectories(folder.resolve("cache"));
    }

    @Test
    void whatIsWrongIsSaidInWords() throws Exception {
        assertThat(apply(ASKED.replace("TARGET", "worker-1")))
                .startsWith(
                        "The WorkflowExecution \"fix-1\" is invalid: spec.targetResource: Invalid value: \"worker-1\":")
                .contains("write namespace/kind/name, or kind/name for what has no namespace");
        assertThat(apply(ASKED.replace("TARGET", "node/worker-1\n  target: node/worker-1")))
                .contains("strict decoding error: unknown field \"spec.target\"");
    }

    @Test
    void aChangeIsRefusedWithWhatToDoInstead() throws Exception {
        assertThat(apply(ASKED.replace("TARGET", "node/worker-1"))).contains("fix-1 created");
        assertThat(apply(ASKED.replace("TARGET", "node/worker-1"))).contains("fix-1 unchanged");
        assertThat(apply(ASKED.replace("TARGET", "node/worker-2")))
                .contains("the spec of an execution never changes; create another execution under a new name");
    }

    @Test
    void aListShowsWhatMatters() throws Exception {
        apply(ASKED.replace("TARGET", "node/worker-1"));
        WorkflowExecution stored = applied.admin()
                .resources(WorkflowExecution.class)
                .inNamespace(applied.namespace())
                .withName("fix-1")
                .get();
        stored.setStatus(Map.of("phase", "Skipped", "skipDetails", Map.of("reason", "ResourceBusy")));
        applied.admin().resource(stored).updateStatus();
        assertThat(kubectl("get", "wfe").lines().map(line -> line.split(" +")))
                .contains(new String[] {"NAME", "PHASE", "WORKFLOW", "TARGET", "REASON", "DURATION", "AGE"})
                .anySatisfy(row ->
                        assertThat(row).startsWith("fix-1", "Skipped", "clean-disk", "node/worker-1", "ResourceBusy"));
        assertThat(kubectl("explain", "wfe.spec.targetResource")).contains("namespace/kind/name");
    }

    private String apply(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("asked.yaml"), yaml);
        return kubectl("apply", "-f", file.toString());
    }

    private String kubectl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Binaries.ofThisProcess().folder().resolve("kubectl").toString(),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + folder.resolve("cache"),
                "--namespace=" + applied.namespace()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return said;
    }
}
