package dev.escapement.benchmarks.clustercrash.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A judge that finds nothing proves nothing: each promise is broken here once. */
class JudgeTest {

    private final ForgedHistory forged = new ForgedHistory();
    private final Map<String, String> acknowledged = new HashMap<>();
    private final Set<String> deleted = new TreeSet<>();
    private final List<JsonNode> events = new ArrayList<>();

    /** A whole life of an execution that does what it should, and what was told of it. */
    private void completes(String name) {
        acknowledged.put(name, name);
        forged.asked(name).prepared(name, name).taken(name).recorded(name).started(name);
        forged.runEnds(name, "True").completed(name).released(name, ForgedHistory.completedBy(name));
        told(name, "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
    }

    private void told(String name, String... reasons) {
        for (String reason : reasons) {
            events.add(ForgedHistory.json("{'involvedObject':{'uid':'%s'},'reason':'%s'}".formatted(name, reason)));
        }
    }

    private List<String> broken() {
        Evidence evidence = new Evidence(forged.history(), acknowledged, deleted, events, 0, Duration.ofSeconds(1), 5);
        return Judge.of(evidence).entrySet().stream()
                .filter(promise -> !promise.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void aGoodLifeBreaksNothing() {
        completes("one");
        forged.later(10);
        completes("two");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aGoodLifeAsAJobBreaksNothing() {
        acknowledged.put("one", "one");
        forged.asked("one").jobPrepared("one", "one").taken("one").recorded("one");
        forged.jobStarted("one").jobEnds("one", "Complete").completed("one");
        forged.released("one", ForgedHistory.completedBy("one"));
        told("one", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aJobThatFailedIsNotTakenForASuccess() {
        forged.asked("one").jobPrepared("one", "one").taken("one").recorded("one");
        forged.jobStarted("one").jobEnds("one", "Failed").completed("one");
        assertThat(broken()).contains("what ran and what was recorded agree");
    }

    @Test
    void aJobAndAPipelineRunOnOneTargetDoNotOverlap() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.asked("two").jobPrepared("two", "two").jobStarted("two");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void aJobThatNobodyWillStartIsSeen() {
        forged.asked("one").jobPrepared("one", "one");
        assertThat(broken()).contains("no target is stuck");
    }

    @Test
    void aHolderAtWorkIsNotReplaced() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one");
        forged.asked("two").prepared("two", "two").taken("two");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P1 a target is taken only when it is free"));
    }

    @Test
    void aTargetIsNotReleasedWhileItsRunIsGoing() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.completed("one").released("one", ForgedHistory.completedBy("one"));
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P1 a target is taken only when it is free"));
    }

    @Test
    void runsOnOneTargetDoNotOverlap() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.asked("two").prepared("two", "two").started("two");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P1 no two runs"));
    }

    @Test
    void anEpochThatFallsIsSeen() {
        completes("one");
        forged.later(-100);
        completes("two");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P1 epochs"));
    }

    @Test
    void aSecondRunOfAnExecutionIsSeen() {
        forged.asked("one")
                .prepared("one", "one")
                .taken("one")
                .recorded("one")
                .started("one")
                .runEnds("one", "True");
        forged.prepared("again", "one").started("again");
        assertThat(broken())
                .anyMatch(promise -> promise.startsWith("P2 no execution started two"))
                .anyMatch(promise -> promise.startsWith("P2 only the run that ledger and status name"));
    }

    @Test
    void aStartBeforeTheRecordIsSeen() {
        forged.asked("one").prepared("one", "one").taken("one").started("one");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P2 only the run"));
    }

    @Test
    void aFailureThatIsNotRememberedIsSeen() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.runEnds("one", "False").failedDuring("one").released("one", "");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P3"));
    }

    @Test
    void aBlockThatGoesByItselfIsSeen() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.runEnds("one", "False").failedDuring("one").released("one", ForgedHistory.blockedBy("one"));
        forged.released("one", "");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P3"));
    }

    @Test
    void anExecutionThatIsGoneWasDeletedByThoseWhoMeantTo() {
        completes("one");
        forged.deleted("one");
        assertThat(broken()).contains("P4 every acknowledged request is accounted for");
        deleted.add("one");
        assertThat(broken()).doesNotContain("P4 every acknowledged request is accounted for");
    }

    @Test
    void aRunThatSomebodyDeletesIsSeen() {
        completes("one");
        forged.runDeleted("one");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P4 no run was deleted"));
    }

    @Test
    void aTargetThatIsTakenInItsCooldownIsSeen() {
        completes("one");
        forged.asked("two").prepared("two", "two").taken("two", ForgedHistory.completedBy("one"));
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P5"));
    }

    @Test
    void aTargetThatIsTakenAfterAFailureIsSeenWhateverTheLedgerSays() {
        forged.asked("one").prepared("one", "one").taken("one").recorded("one").started("one");
        forged.runEnds("one", "False").failedDuring("one").released("one", "").later(100);
        forged.asked("two").prepared("two", "two").taken("two");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P5"));
    }

    @Test
    void aNoWithoutAReasonIsSeen() {
        forged.asked("one").skipped("one", "{}");
        assertThat(broken()).anyMatch(promise -> promise.startsWith("P6"));
    }

    @Test
    void aFinalStatusThatChangesIsSeen() {
        completes("one");
        forged.recorded("one");
        assertThat(broken()).contains("phases move as they may, and what is final stays");
    }

    @Test
    void aSkippedExecutionThatRanIsSeen() {
        forged.asked("one").prepared("one", "one").started("one").skipped("one", "{}");
        assertThat(broken()).contains("what ran and what was recorded agree");
    }

    @Test
    void whatIsLeftOverIsSeen() {
        forged.asked("one").prepared("one", "one").taken("one");
        assertThat(broken()).contains("every execution came to its end", "no target is stuck");
    }

    @Test
    void whatIsNotToldOrToldTwiceIsSeen() {
        completes("one");
        told("one", "WorkflowCompleted");
        assertThat(broken()).containsExactly("every transition was told once");
        events.clear();
        assertThat(broken()).containsExactly("every transition was told once");
    }
}
