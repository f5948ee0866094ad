package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.Recorded.run;
import static dev.escapement.kubernetes.run.tekton.Recorded.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept of watched objects reads like the whole of them. */
class TrimmedTest {

    private static final PipelineRun RUN = run("Failed", """
            completionTime: "2026-11-16T11:59:30Z"
            childReferences:
            - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
            skippedTasks: [{name: drain, reason: Parent Tasks were skipped}]
            provenance: {refSource: {uri: somewhere}}
            """);

    @Test
    void aPipelineRunReadsTheSame() {
        RUN.setSpec(Map.of("status", "Cancelled", "params", "x".repeat(1_000)));
        PipelineRun trimmed = Trimmed.pipelineRun(RUN);
        assertThat(Outline.of(trimmed)).isEqualTo(Outline.of(RUN));
        assertThat(Outline.of(trimmed).tasks()).containsExactly("cordon", "drain", "tell");
        assertThat(Conditions.of(trimmed)).isEqualTo(Conditions.of(RUN));
        assertThat(TektonFacts.endedAt(trimmed, Conditions.of(trimmed))).isPresent();
        assertThat(trimmed.getSpec()).isEqualTo(Map.of("status", "Cancelled"));
        assertThat(trimmed.getMetadata()).isEqualTo(RUN.getMetadata());
        assertThat(Serialization.asJson(trimmed)).doesNotContain("xxx", "provenance");
    }

    @Test
    void aPipelineRunOfWhichNothingIsKnownYetStaysSo() {
        PipelineRun fresh = new PipelineRun();
        PipelineRun trimmed = Trimmed.pipelineRun(fresh);
        assertThat(Outline.of(trimmed)).isEqualTo(Outline.of(fresh));
        assertThat(Conditions.of(trimmed).isOver()).isFalse();
    }

    @Test
    void aTaskRunSaysWhetherItGoesOn() {
        TaskRun trimmed = Trimmed.taskRun(task("cordon", "False", "Failed", "taskSpec: {steps: [{name: do}]}"));
        assertThat(Conditions.of(trimmed).failed()).isTrue();
        assertThat(trimmed.getStatus()).containsOnlyKeys("conditions");
    }
}
