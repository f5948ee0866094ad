package dev.escapement.engine.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunReference;
import dev.escapement.engine.execution.RunRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunReferenceMapperTest {

    private static PipelineRunReference reference(
            @Nullable String kind, @Nullable String namespace, @Nullable String name, @Nullable String uid) {
        return new PipelineRunReference(kind, namespace, name, uid, 7L, Map.of());
    }

    @Test
    void runOnClusterHasKindNamespaceAndName() {
        RunRef run = new RunRef("pipelinerun/kubernaut-workflows/wfe-1", "u");
        PipelineRunReference record = RunReferenceMapper.toRecord(run, 7L);
        assertThat(record).isEqualTo(reference("PipelineRun", "kubernaut-workflows", "wfe-1", "u"));
        assertThat(RunReferenceMapper.fromRecord(record)).contains(run);
        assertThat(RunReferenceMapper.toRecord(new RunRef("job/runs/wfe-2", "v"), 7L))
                .isEqualTo(reference("Job", "runs", "wfe-2", "v"));
    }

    @Test
    void runElsewhereHasOnlyAName() {
        RunRef run = new RunRef("ops/fix/1", "u");
        assertThat(RunReferenceMapper.toRecord(run, 7L)).isEqualTo(reference(null, null, "ops/fix/1", "u"));
        assertThat(RunReferenceMapper.fromRecord(reference(null, null, "ops/fix/1", "u")))
                .contains(run);
    }

    @Test
    void readsReferenceOfOlderVersion() {
        assertThat(RunReferenceMapper.fromRecord(reference(null, null, "job/runs/wfe-1", "u")))
                .contains(new RunRef("job/runs/wfe-1", "u"));
    }

    @Test
    void keepsNameIfTheApiServerDropsTheOtherFields() {
        assertThat(RunReferenceMapper.fromRecord(reference(null, null, "wfe-1", "u")))
                .contains(new RunRef("wfe-1", "u"));
    }

    @Test
    void incompleteReferenceIsNone() {
        assertThat(RunReferenceMapper.fromRecord(reference("Job", "runs", "wfe-1", null)))
                .isEmpty();
        assertThat(RunReferenceMapper.fromRecord(reference("Job", "runs", "", "u")))
                .isEmpty();
    }
}
