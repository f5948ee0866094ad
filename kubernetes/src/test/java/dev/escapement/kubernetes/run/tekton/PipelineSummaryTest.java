package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.TektonFixtures.pipelineRun;
import static dev.escapement.kubernetes.run.tekton.TektonFixtures.taskRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PipelineSummaryTest {

    private static final SucceededCondition RUNNING =
            new SucceededCondition("Unknown", "Running", "Tasks Completed: 0", Optional.empty());

    @Test
    void countsSkippedAndFailedTasksAsDone() {
        PipelineRun running = pipelineRun("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                - {kind: TaskRun, name: run-tell, pipelineTaskName: tell}
                skippedTasks: [{name: drain, reason: PipelineRun was stopping}]
                """);
        TaskRun cordon = taskRun("cordon", "False", "Failed", "");
        RunProgress progress = PipelineSummary.of(running)
                .progress(
                        RUNNING,
                        name -> name.equals("run-cordon")
                                ? Optional.of(cordon)
                                : Optional.of(taskRun("tell", "Unknown", "Running", "")));
        assertThat(progress)
                .isEqualTo(new RunProgress(2, 3, "task 3 of 3: tell; Tekton: Tasks Completed: 0", "Running"));
    }

    @Test
    void reportsProgressFromFirstTask() {
        PipelineRun running = pipelineRun("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                """);
        assertThat(PipelineSummary.of(running).progress(RUNNING, name -> Optional.empty()))
                .isEqualTo(new RunProgress(0, 3, "task 1 of 3: cordon; Tekton: Tasks Completed: 0", "Running"));
    }

    @Test
    void reportsNoProgressBeforeFirstTask() {
        PipelineRun running = pipelineRun("Running", "skippedTasks: [{name: drain, reason: x}]");
        assertThat(PipelineSummary.of(running).progress(RUNNING, name -> Optional.empty()))
                .isEqualTo(RunProgress.UNKNOWN);
    }

    @Test
    void reportsNoProgressWhileNoTaskRuns() {
        PipelineRun between = pipelineRun("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                """);
        PipelineRun after = pipelineRun("Running", """
                childReferences:
                - {kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}
                - {kind: TaskRun, name: run-drain, pipelineTaskName: drain}
                - {kind: TaskRun, name: run-tell, pipelineTaskName: tell}
                """);
        for (PipelineRun run : List.of(between, after)) {
            assertThat(PipelineSummary.of(run)
                            .progress(
                                    RUNNING, name -> Optional.of(taskRun(name.substring(4), "True", "Succeeded", ""))))
                    .isEqualTo(RunProgress.UNKNOWN);
        }
    }
}
