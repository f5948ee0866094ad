package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.common.Json;
import dev.escapement.engine.mapping.ExecutionMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The standalone program accepts the examples. */
class KubernetesExamplesTest {

    private static final Path EXAMPLES = Path.of("..", "examples", "kubernetes");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    @Test
    @SuppressWarnings("unchecked")
    void standaloneParserAcceptsEveryExample() throws IOException {
        for (String yaml : executionExamples()) {
            Map<String, Object> document = YAML.unmarshal(yaml, Map.class);
            assertThat(ExecutionMapper.fromRequest(
                                    Json.fromMap(document, WorkflowExecution.class), "default", "uid", Instant.EPOCH)
                            .workflowId())
                    .isNotEmpty();
        }
    }

    /** Returns the manifests of all executions among the examples. */
    static List<String> executionExamples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.map(KubernetesExamplesTest::readFile)
                    .filter(yaml -> yaml.contains("kind: WorkflowExecution"))
                    .toList();
        }
    }

    private static String readFile(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
