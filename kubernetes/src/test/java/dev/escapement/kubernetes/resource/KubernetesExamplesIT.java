package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples are what a cluster, and the program without one, accept. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KubernetesExamplesIT {

    private static final Path EXAMPLES = Path.of("..", "examples", "kubernetes");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final CrdTestCluster crdCluster;

    KubernetesExamplesIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
    }

    @AfterAll
    void cleanUp() {
        crdCluster.close();
    }

    @Test
    void clusterAcceptsEveryExample() throws IOException {
        List<String> examples = executionExamples();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(4);
        for (String yaml : examples) {
            WorkflowExecution example = YAML.unmarshal(yaml, WorkflowExecution.class);
            example.getMetadata().setNamespace(crdCluster.namespace());
            assertThat(crdCluster.rejection(example)).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void standaloneParserAcceptsEveryExample() throws IOException {
        for (String yaml : executionExamples()) {
            Map<String, Object> document = YAML.unmarshal(yaml, Map.class);
            assertThat(ExecutionDocument.request(document, "default", "uid", Instant.EPOCH)
                            .workflowId())
                    .isNotEmpty();
        }
    }

    private static List<String> executionExamples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.map(KubernetesExamplesIT::readFile)
                    .filter(yaml -> yaml.contains("kind: WorkflowExecution"))
                    .toList();
        }
    }

    private static String readFile(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
