package dev.escapement.crashtests.cluster.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.SingleQuotedJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Violates each promise once, to show that the judge finds it. */
class ClusterJudgeTest {

    private final ForgedEtcdHistory forged = new ForgedEtcdHistory();
    private final Map<String, String> acknowledged = new HashMap<>();
    private final Set<String> deleted = new TreeSet<>();
    private final Set<String> lostEntries = new TreeSet<>();
    private final List<RevisionRange> outages = new ArrayList<>();
    private final List<JsonNode> events = new ArrayList<>();

    /** Adds all writes and Events of an execution that completes. */
    private void addCompletedExecution(String name) {
        acknowledged.put(name, name);
        forged.requested(name)
                .prepared(name, name)
                .acquired(name)
                .recorded(name)
                .started(name);
        forged.runEnded(name, "True").completed(name).released(name, ForgedEtcdHistory.completedBy(name));
        addEvents(name, "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
    }

    private void addEvents(String name, String... reasons) {
        for (String reason : reasons) {
            events.add(SingleQuotedJson.parse("{'involvedObject':{'uid':'%s'},'reason':'%s'}".formatted(name, reason)));
        }
    }

    private List<String> brokenPromises() {
        ClusterEvidence evidence = new ClusterEvidence(
                forged.history(),
                lostEntries,
                outages,
                acknowledged,
                deleted,
                events,
                new ClusterDeliveries(List.of(), List.of(), Set.of()),
                0,
                Duration.ofSeconds(1),
                5);
        return ClusterJudge.judge(evidence).brokenPromises();
    }

    @Test
    void correctHistoryBreaksNoPromise() {
        addCompletedExecution("one");
        forged.advanceTime(10);
        addCompletedExecution("two");
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void correctJobHistoryBreaksNoPromise() {
        acknowledged.put("one", "one");
        forged.requested("one").jobPrepared("one", "one").acquired("one").recorded("one");
        forged.jobStarted("one").jobEnded("one", "Complete").completed("one");
        forged.released("one", ForgedEtcdHistory.completedBy("one"));
        addEvents("one", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void detectsCompletedExecutionOfFailedJob() {
        forged.requested("one").jobPrepared("one", "one").acquired("one").recorded("one");
        forged.jobStarted("one").jobEnded("one", "Failed").completed("one");
        assertThat(brokenPromises()).contains("the records agree with the runs");
    }

    @Test
    void detectsOverlapOfJobAndPipelineRun() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.requested("two").jobPrepared("two", "two").jobStarted("two");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void detectsJobLeftSuspended() {
        forged.requested("one").jobPrepared("one", "one");
        assertThat(brokenPromises()).contains("no target is still held");
    }

    @Test
    void detectsReplacedActiveHolder() {
        forged.requested("one").prepared("one", "one").acquired("one").recorded("one");
        forged.requested("two").prepared("two", "two").acquired("two");
        assertThat(brokenPromises())
                .anyMatch(promise -> promise.startsWith("P1 a target is acquired only if it is free"));
    }

    /** What the ledger says there proves nothing, but two runs at once are a violation anyway. */
    @Test
    void entryRemovedByForceExcusesLedgerButNoSecondRun() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.requested("two").prepared("two", "two").acquired("two").started("two");
        lostEntries.add(ForgedEtcdHistory.ENTRY);
        assertThat(brokenPromises())
                .noneMatch(promise -> promise.startsWith("P1 a target is acquired only if it is free"))
                .anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void detectsReleaseWhileRunIsActive() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.completed("one").released("one", ForgedEtcdHistory.completedBy("one"));
        assertThat(brokenPromises())
                .anyMatch(promise -> promise.startsWith("P1 a target is acquired only if it is free"));
    }

    @Test
    void detectsOverlappingRunsOnTarget() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.requested("two").prepared("two", "two").started("two");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void detectsDecreasingEpoch() {
        addCompletedExecution("one");
        forged.advanceTime(-100);
        addCompletedExecution("two");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P1 epochs"));
    }

    @Test
    void detectsSecondRunOfExecution() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one")
                .runEnded("one", "True");
        forged.prepared("again", "one").started("again");
        assertThat(brokenPromises())
                .anyMatch(promise -> promise.startsWith("P2 no execution started two"))
                .anyMatch(promise -> promise.startsWith("P2 only the run in ledger and status"));
    }

    @Test
    void detectsStartBeforeRunningStatus() {
        forged.requested("one").prepared("one", "one").acquired("one").started("one");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P2 only the run"));
    }

    @Test
    void detectsFailureMissingInLedger() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.runEnded("one", "False").failedDuring("one").released("one", "");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P3"));
    }

    @Test
    void deletionOfEntryByPersonEndsCooldownButNoBlock() {
        addCompletedExecution("one");
        forged.requested("two")
                .prepared("two", "two")
                .advanceTime(10)
                .acquired("two")
                .recorded("two")
                .started("two");
        forged.entryDeletionRequested().runEnded("two", "True").completed("two").entryDeleted();
        acknowledged.put("two", "two");
        addEvents("two", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(brokenPromises()).isEmpty();
        forged.requested("three").prepared("three", "three").acquired("three").recorded("three");
        forged.started("three").entryDeletionRequested().runEnded("three", "False");
        forged.failedDuring("three").entryDeleted();
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P3"));
    }

    @Test
    void detectsBlockRemovedWithoutClearance() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.runEnded("one", "False").failedDuring("one").released("one", ForgedEtcdHistory.blockedBy("one"));
        forged.released("one", "");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P3"));
    }

    @Test
    void detectsLostExecutionUnlessDeletedOnPurpose() {
        addCompletedExecution("one");
        forged.deleted("one");
        assertThat(brokenPromises()).contains("P4 every acknowledged request is accounted for");
        deleted.add("one");
        assertThat(brokenPromises()).doesNotContain("P4 every acknowledged request is accounted for");
    }

    @Test
    void detectsDeletedRun() {
        addCompletedExecution("one");
        forged.runDeleted("one");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P4 no run was deleted"));
    }

    /** Only a PipelineRun, only while Tekton was away, and only if its execution has failed. */
    @Test
    void runRemovedWhileTektonWasAwayBreaksNoPromise() {
        acknowledged.put("one", "one");
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.runDeleted("one").failedDuring("one").released("one", ForgedEtcdHistory.blockedBy("one"));
        addEvents("one", "PipelineRunCreated", "WorkflowFailed", "LockReleased");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P4 no run was deleted"));
        outages.add(new RevisionRange(1, 100));
        assertThat(brokenPromises()).isEmpty();
    }

    @Test
    void withdrawnRunHasEndedUnlessItGotTasks() {
        acknowledged.put("one", "one");
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.runWithdrawn("one", "[]").failedBefore("one").released("one", "");
        addEvents("one", "PipelineRunCreated", "WorkflowFailed", "LockReleased");
        forged.advanceTime(10);
        addCompletedExecution("two");
        assertThat(brokenPromises()).isEmpty();
        forged.runWithdrawn("one", "[{'name':'task'}]");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void detectsAcquisitionDuringCooldown() {
        addCompletedExecution("one");
        forged.requested("two").prepared("two", "two").acquired("two", ForgedEtcdHistory.completedBy("one"));
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P5"));
    }

    @Test
    void detectsAcquisitionAfterFailureMissingInLedger() {
        forged.requested("one")
                .prepared("one", "one")
                .acquired("one")
                .recorded("one")
                .started("one");
        forged.runEnded("one", "False").failedDuring("one").released("one", "").advanceTime(100);
        forged.requested("two").prepared("two", "two").acquired("two");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P5"));
    }

    @Test
    void detectsSkipWithoutReason() {
        forged.requested("one").skipped("one", "{}");
        assertThat(brokenPromises()).anyMatch(promise -> promise.startsWith("P6"));
    }

    @Test
    void detectsChangedFinalStatus() {
        addCompletedExecution("one");
        forged.recorded("one");
        assertThat(brokenPromises()).contains("phases change only as allowed, and final phases never");
    }

    @Test
    void detectsSkippedExecutionThatRan() {
        forged.requested("one").prepared("one", "one").started("one").skipped("one", "{}");
        assertThat(brokenPromises()).contains("the records agree with the runs");
    }

    @Test
    void detectsUnfinishedExecutionAndHeldTarget() {
        forged.requested("one").prepared("one", "one").acquired("one");
        assertThat(brokenPromises()).contains("every execution finished", "no target is still held");
    }

    @Test
    void detectsMissingAndDuplicateEvents() {
        addCompletedExecution("one");
        addEvents("one", "WorkflowCompleted");
        assertThat(brokenPromises()).containsExactly("every transition was published once");
        events.clear();
        assertThat(brokenPromises()).containsExactly("every transition was published once");
    }
}
