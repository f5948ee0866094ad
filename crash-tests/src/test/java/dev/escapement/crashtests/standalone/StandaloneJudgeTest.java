package dev.escapement.crashtests.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.SingleQuotedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Violates each promise once, to show that the judge finds it. */
class StandaloneJudgeTest {

    private static final String START = "2026-11-15T12:00:00Z";

    private final Map<String, String> acknowledged = new TreeMap<>();
    private final Map<String, JsonNode> executions = new TreeMap<>();
    private final List<JsonNode> journal = new ArrayList<>();
    private final List<WitnessFile.Line> witnessLines = new ArrayList<>();
    private final List<String> heldTargets = new ArrayList<>();

    private static String timeAt(int second) {
        return START.replace("00Z", "%02dZ".formatted(second));
    }

    private void addTransition(String type, String name, int second, String details) {
        journal.add(SingleQuotedJson.parse(
                "{'type':'%s','at':'%s','execution':{'name':'%s'},'workflow':'w','target':'node/a','details':%s}"
                        .formatted(type, timeAt(second), name, details)));
    }

    private void addWitnessLine(String what, String name, int second) {
        witnessLines.add(new WitnessFile.Line(what, name, "node/a", JournalEarlyStartCheck.epochNanos(timeAt(second))));
    }

    private void addCompletedRun(String name, int from, int to) {
        acknowledged.put(name, "node/a");
        addTransition("PipelineRunCreated", name, from, "{}");
        addWitnessLine("begin", name, from);
        addWitnessLine("end", name, to);
        addTransition("WorkflowCompleted", name, to, "{}");
        addTransition("LockReleased", name, to, "{}");
        executions.put(
                name,
                SingleQuotedJson.parse("{'status':{'phase':'Completed','completionTime':'%s'}}".formatted(timeAt(to))));
    }

    private List<String> brokenPromises() {
        return StandaloneJudge.judge(
                        new StandaloneEvidence(acknowledged, executions, journal, witnessLines, heldTargets, 2_000))
                .brokenPromises();
    }

    @Test
    void correctHistoryBreaksNoPromise() {
        addCompletedRun("e1", 1, 2);
        addCompletedRun("e2", 5, 6);
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void detectsLostRequestUnlessDeleted() {
        acknowledged.put("e1", "node/a");
        assertThat(brokenPromises()).containsExactly("every acknowledged request is accounted for");
        addTransition("ExecutionDeleted", "e1", 3, "{}");
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void detectsUnfinishedExecution() {
        executions.put("e1", SingleQuotedJson.parse("{'status':{'phase':'Running'}}"));
        assertThat(brokenPromises()).containsExactly("every execution finished");
    }

    @Test
    void detectsHeldTarget() {
        heldTargets.add("node/a");
        assertThat(brokenPromises()).containsExactly("no target is still held");
    }

    @Test
    void detectsSecondRun() {
        addCompletedRun("e1", 1, 2);
        addWitnessLine("begin", "e1", 4);
        assertThat(brokenPromises()).contains("no execution ran twice");
    }

    @Test
    void detectsRunRecordedAsNeverStarted() {
        addWitnessLine("begin", "e1", 1);
        executions.put(
                "e1",
                SingleQuotedJson.parse(
                        "{'status':{'phase':'Skipped','skipDetails':{'reason':'ResourceBusy','message':'m'}}}"));
        assertThat(brokenPromises()).containsExactly("the records agree with the runs");
        executions.put(
                "e1",
                SingleQuotedJson.parse("{'status':{'phase':'Failed','failureDetails':{'wasExecutionFailure':false}}}"));
        assertThat(brokenPromises()).containsExactly("the records agree with the runs");
    }

    @Test
    void detectsCompletedWithoutEnd() {
        addWitnessLine("begin", "e1", 1);
        executions.put("e1", SingleQuotedJson.parse("{'status':{'phase':'Completed'}}"));
        assertThat(brokenPromises()).containsExactly("the records agree with the runs");
    }

    @Test
    void detectsOverlappingRunsOnTarget() {
        addCompletedRun("e1", 1, 5);
        addWitnessLine("begin", "e2", 3);
        assertThat(brokenPromises()).containsExactly("no two ran on one target at once");
    }

    @Test
    void deletionEndsOnlyTheCooldownOfItsOwnExecution() {
        addCompletedRun("e1", 1, 2);
        addTransition("ExecutionDeleted", "e1", 2, "{}");
        addCompletedRun("e2", 3, 4);
        assertThat(brokenPromises()).isEmpty();
        addTransition("ExecutionDeleted", "e1", 4, "{}");
        addCompletedRun("e3", 5, 6);
        assertThat(brokenPromises()).contains("nothing ran too early");
    }

    @Test
    void detectsDuplicateTransition() {
        addCompletedRun("e1", 1, 2);
        addTransition("WorkflowCompleted", "e1", 2, "{}");
        assertThat(brokenPromises()).containsExactly("the journal has every transition once");
    }

    @Test
    void detectsStartDuringCooldown() {
        addCompletedRun("e1", 1, 2);
        addCompletedRun("e2", 3, 4);
        assertThat(brokenPromises()).containsExactly("nothing ran too early");
    }

    @Test
    void detectsStartDuringBackoff() {
        addTransition("WorkflowFailed", "e0", 1, "{'nextAllowedExecution':'" + timeAt(9) + "'}");
        addCompletedRun("e1", 5, 6);
        assertThat(brokenPromises()).containsExactly("nothing ran too early");
    }

    @Test
    void detectsStartOnBlockedTargetUnlessCleared() {
        addTransition("WorkflowFailed", "e0", 1, "{'wasExecutionFailure':'true'}");
        addCompletedRun("e1", 5, 6);
        assertThat(brokenPromises()).containsExactly("nothing ran too early");
        journal.add(
                1, SingleQuotedJson.parse("{'type':'BlockCleared','at':'%s','target':'node/a'}".formatted(timeAt(3))));
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void detectsSkipWithoutReason() {
        executions.put(
                "e1", SingleQuotedJson.parse("{'status':{'phase':'Skipped','skipDetails':{'reason':'ResourceBusy'}}}"));
        assertThat(brokenPromises()).containsExactly("every skip has a reason");
    }
}
