package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.TektonFixtures.pipelineRun;
import static dev.escapement.kubernetes.run.tekton.TektonFixtures.taskRun;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A trimmed object gives the same readings as the whole one. */
class TrimmedTektonObjectsTest {

    private static final PipelineRun PIPELINE_RUN = pipelineRun("Failed", """
            completionTime: "2026-11-16T11:59:30Z"
            childReferences:
            - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
            skippedTasks: [{name: drain, reason: Parent Tasks were skipped}]
            provenance: {refSource: {uri: somewhere}}
            """);

    @Test
    void trimmedPipelineRunKeepsWhatIsRead() {
        PIPELINE_RUN.setSpec(Map.of("status", "Cancelled", "params", "x".repeat(1_000)));
        PipelineRun trimmed = PipelineRun.trim(PIPELINE_RUN);
        assertThat(PipelineSummary.of(trimmed)).isEqualTo(PipelineSummary.of(PIPELINE_RUN));
        assertThat(PipelineSummary.of(trimmed).tasks()).containsExactly("cordon", "drain", "tell");
        assertThat(SucceededCondition.of(trimmed)).isEqualTo(SucceededCondition.of(PIPELINE_RUN));
        assertThat(PipelineRunFailureReader.endedAt(trimmed, SucceededCondition.of(trimmed)))
                .isPresent();
        assertThat(trimmed.getSpec()).isEqualTo(Map.of("status", "Cancelled"));
        assertThat(trimmed.getMetadata()).isEqualTo(PIPELINE_RUN.getMetadata());
        assertThat(Serialization.asJson(trimmed)).doesNotContain("xxx", "provenance");
    }

    @Test
    void trimsPipelineRunWithoutStatus() {
        PipelineRun fresh = new PipelineRun();
        PipelineRun trimmed = PipelineRun.trim(fresh);
        assertThat(PipelineSummary.of(trimmed)).isEqualTo(PipelineSummary.of(fresh));
        assertThat(SucceededCondition.of(trimmed).isFinished()).isFalse();
    }

    @Test
    void trimmedTaskRunKeepsConditions() {
        TaskRun trimmed = TaskRun.trim(taskRun("cordon", "False", "Failed", "taskSpec: {steps: [{name: do}]}"));
        assertThat(SucceededCondition.of(trimmed).failed()).isTrue();
        assertThat(trimmed.getStatus()).containsOnlyKeys("conditions");
    }
}
