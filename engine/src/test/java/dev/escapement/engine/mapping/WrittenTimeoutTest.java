package dev.escapement.engine.mapping;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionSpec.ExecutionSettings;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A timeout comes back as it was written. */
class WrittenTimeoutTest {

    private static final WorkflowExecutionStatus NO_STATUS = new WorkflowExecutionStatus(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, List.of(), Map.of());

    private static Execution request(String timeout) {
        WorkflowExecutionSpec spec = new WorkflowExecutionSpec(
                null,
                new WorkflowReference("repair", null, null, null, Map.of()),
                "node/worker-1",
                Map.of(),
                null,
                null,
                new ExecutionSettings(timeout, null, null, Map.of()),
                "Wait",
                "PT5M",
                Map.of());
        return ExecutionMapper.fromRequest(
                WorkflowExecution.of(ObjectMetadata.named("fix-1", ""), spec, NO_STATUS),
                "default",
                "uid-1",
                ExecutionSamples.NOW);
    }

    private static String timeout(Execution execution) {
        WorkflowExecutionSpec spec =
                requireNonNull(ExecutionMapper.toDocument(execution, "7").spec());
        return requireNonNull(requireNonNull(spec.executionConfig()).timeout());
    }

    @Test
    void comesBackAsWritten() {
        Execution execution = request("402653h");
        assertThat(timeout(execution)).isEqualTo("402653h");
        Execution stored = ExecutionMapper.fromDocument(ExecutionMapper.toDocument(execution, "7"));
        assertThat(timeout(stored)).isEqualTo("402653h");
        assertThat(stored.spec().config().timeout()).contains(Duration.ofHours(402_653));
    }

    @Test
    void sameTimeoutInOtherWordsIsTheSameSpec() {
        assertThat(request("60s").spec())
                .isEqualTo(request("1m").spec())
                .hasSameHashCodeAs(request("1m").spec());
        assertThat(request("61s").spec()).isNotEqualTo(request("1m").spec());
    }

    @Test
    void timeToWaitComesBackAsWritten() {
        assertThat(requireNonNull(ExecutionMapper.toDocument(request("5m"), "7").spec())
                        .waitFor())
                .isEqualTo("PT5M");
    }
}
