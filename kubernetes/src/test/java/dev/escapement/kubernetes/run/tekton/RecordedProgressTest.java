package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.Recorded.run;
import static dev.escapement.kubernetes.run.tekton.Recorded.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far a run has come, judging by objects as Tekton writes them. */
class RecordedProgressTest {

    @Test
    void whatIsSkippedIsDoneAndWhatFailedIsToo() {
        PipelineRun going = run("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                - {kind: TaskRun, name: run-tell, pipelineTaskName: tell}
                skippedTasks: [{name: drain, reason: PipelineRun was stopping}]
                """);
        TaskRun cordon = task("cordon", "False", "Failed", "");
        RunProgress progress = TektonProgress.of(
                Outline.of(going),
                name -> name.equals("run-cordon")
                        ? Optional.of(cordon)
                        : Optional.of(task("tell", "Unknown", "Running", "")));
        assertThat(progress).isEqualTo(new RunProgress(2, 3, "task 3 of 3: tell"));
    }

    @Test
    void nothingIsToldBeforeATaskIsDone() {
        PipelineRun going = run("Running", "skippedTasks: [{name: drain, reason: x}]");
        assertThat(TektonProgress.of(Outline.of(going), name -> Optional.empty()))
                .isEqualTo(RunProgress.UNKNOWN);
    }

    @Test
    void nothingIsToldBetweenTwoTasksNorAfterTheLastOne() {
        PipelineRun between = run("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                """);
        PipelineRun after = run("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                - {kind: TaskRun, name: run-drain, pipelineTaskName: drain}
                - {kind: TaskRun, name: run-tell, pipelineTaskName: tell}
                """);
        for (PipelineRun run : List.of(between, after)) {
            assertThat(TektonProgress.of(
                            Outline.of(run), name -> Optional.of(task(name.substring(4), "True", "Succeeded", ""))))
                    .isEqualTo(RunProgress.UNKNOWN);
        }
    }
}
