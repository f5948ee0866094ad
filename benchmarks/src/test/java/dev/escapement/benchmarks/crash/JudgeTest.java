package dev.escapement.benchmarks.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A judge that finds nothing proves nothing: each promise is broken here once. */
class JudgeTest {

    private static final String START = "2026-11-15T12:00:00Z";

    private final Map<String, String> acknowledged = new TreeMap<>();
    private final Map<String, JsonNode> executions = new TreeMap<>();
    private final List<JsonNode> journal = new ArrayList<>();
    private final List<Witness.Line> witness = new ArrayList<>();
    private final List<String> held = new ArrayList<>();

    private static JsonNode json(String text) {
        try {
            return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static String at(int second) {
        return START.replace("00Z", "%02dZ".formatted(second));
    }

    private void tell(String type, String name, int second, String details) {
        journal.add(
                json("{'type':'%s','at':'%s','execution':{'name':'%s'},'workflow':'w','target':'node/a','details':%s}"
                        .formatted(type, at(second), name, details)));
    }

    private void see(String what, String name, int second) {
        witness.add(new Witness.Line(what, name, "node/a", TooSoon.nanos(at(second))));
    }

    private void ran(String name, int from, int to) {
        acknowledged.put(name, "node/a");
        tell("PipelineRunCreated", name, from, "{}");
        see("begin", name, from);
        see("end", name, to);
        tell("WorkflowCompleted", name, to, "{}");
        tell("LockReleased", name, to, "{}");
        executions.put(name, json("{'status':{'phase':'Completed','completionTime':'%s'}}".formatted(at(to))));
    }

    private List<String> broken() {
        return Judge.of(new Evidence(acknowledged, executions, journal, witness, held, 2_000)).entrySet().stream()
                .filter(promise -> !promise.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void aGoodLifeBreaksNothing() {
        ran("e1", 1, 2);
        ran("e2", 5, 6);
        assertThat(broken()).isEmpty();
    }

    @Test
    void aRequestThatIsGoneIsLostUnlessItWasDeleted() {
        acknowledged.put("e1", "node/a");
        assertThat(broken()).containsExactly("every acknowledged request is accounted for");
        tell("ExecutionDeleted", "e1", 3, "{}");
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatNeverEndsIsSeen() {
        executions.put("e1", json("{'status':{'phase':'Running'}}"));
        assertThat(broken()).containsExactly("every execution came to its end");
    }

    @Test
    void aTargetThatIsStillHeldIsStuck() {
        held.add("node/a");
        assertThat(broken()).containsExactly("no target is stuck");
    }

    @Test
    void aSecondBeginIsASecondRun() {
        ran("e1", 1, 2);
        see("begin", "e1", 4);
        assertThat(broken()).contains("no execution ran twice");
    }

    @Test
    void whatRanMustNotBeRecordedAsNeverStarted() {
        see("begin", "e1", 1);
        executions.put(
                "e1", json("{'status':{'phase':'Skipped','skipDetails':{'reason':'ResourceBusy','message':'m'}}}"));
        assertThat(broken()).containsExactly("what ran and what was recorded agree");
        executions.put("e1", json("{'status':{'phase':'Failed','failureDetails':{'wasExecutionFailure':false}}}"));
        assertThat(broken()).containsExactly("what ran and what was recorded agree");
    }

    @Test
    void whatIsCompletedMustHaveRunToItsEnd() {
        see("begin", "e1", 1);
        executions.put("e1", json("{'status':{'phase':'Completed'}}"));
        assertThat(broken()).containsExactly("what ran and what was recorded agree");
    }

    @Test
    void twoAtOnceOnOneTargetAreSeen() {
        ran("e1", 1, 5);
        see("begin", "e2", 3);
        assertThat(broken()).containsExactly("no two ran on one target at once");
    }

    @Test
    void aTransitionThatIsToldTwiceIsSeen() {
        ran("e1", 1, 2);
        tell("WorkflowCompleted", "e1", 2, "{}");
        assertThat(broken()).containsExactly("the journal tells everything once");
    }

    @Test
    void aStartWithinTheCooldownIsTooSoon() {
        ran("e1", 1, 2);
        ran("e2", 3, 4);
        assertThat(broken()).containsExactly("nothing ran before its time");
    }

    @Test
    void aStartBeforeTheBackoffIsOverIsTooSoon() {
        tell("WorkflowFailed", "e0", 1, "{'nextAllowedExecution':'" + at(9) + "'}");
        ran("e1", 5, 6);
        assertThat(broken()).containsExactly("nothing ran before its time");
    }

    @Test
    void aStartOnABrokenTargetIsTooSoonUnlessItWasCleared() {
        tell("WorkflowFailed", "e0", 1, "{'wasExecutionFailure':'true'}");
        ran("e1", 5, 6);
        assertThat(broken()).containsExactly("nothing ran before its time");
        journal.add(1, json("{'type':'BlockCleared','at':'%s','target':'node/a'}".formatted(at(3))));
        assertThat(broken()).isEmpty();
    }

    @Test
    void aSkipWithoutAReasonIsSeen() {
        executions.put("e1", json("{'status':{'phase':'Skipped','skipDetails':{'reason':'ResourceBusy'}}}"));
        assertThat(broken()).containsExactly("every no says why");
    }
}
