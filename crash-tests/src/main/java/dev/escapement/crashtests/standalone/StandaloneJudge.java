package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.kit.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds every violation of a promise in the evidence. It is a pure function. */
final class StandaloneJudge {

    private final StandaloneEvidence evidence;

    private StandaloneJudge(StandaloneEvidence evidence) {
        this.evidence = evidence;
    }

    static Verdict judge(StandaloneEvidence evidence) {
        return new StandaloneJudge(evidence).checkPromises();
    }

    private Verdict checkPromises() {
        Map<String, List<String>> violations = new LinkedHashMap<>();
        List<String> deleted = evidence.journal().stream()
                .filter(transition -> transition.path("type").asText().equals("ExecutionDeleted"))
                .map(StandaloneJudge::executionName)
                .toList();
        violations.put("every acknowledged request is accounted for", findLostRequests(new HashSet<>(deleted)));
        violations.put("every execution finished", findUnfinished());
        violations.put("no target is still held", evidence.heldTargets());
        violations.put("no execution ran twice", findDoubleRuns());
        violations.put("the records agree with the runs", findContradictions());
        violations.put("no two ran on one target at once", findOverlaps());
        violations.put("the journal has every transition once", findDuplicateTransitions());
        violations.put("nothing ran too early", JournalEarlyStartCheck.check(evidence));
        violations.put("every skip has a reason", findSkipsWithoutReason());
        return new Verdict(violations);
    }

    private List<String> findLostRequests(Set<String> deleted) {
        return evidence.acknowledged().keySet().stream()
                .filter(name -> !evidence.executions().containsKey(name) && !deleted.contains(name))
                .toList();
    }

    private List<String> findUnfinished() {
        return evidence.executions().keySet().stream()
                .filter(name -> !Set.of("Completed", "Failed", "Skipped").contains(evidence.phase(name)))
                .map(name -> name + " is " + evidence.phase(name))
                .toList();
    }

    private List<String> findDoubleRuns() {
        Map<String, Integer> begins = new HashMap<>();
        evidence.witnessLines().stream()
                .filter(line -> line.event().equals("begin"))
                .forEach(line -> begins.merge(line.execution(), 1, Integer::sum));
        return begins.entrySet().stream()
                .filter(count -> count.getValue() > 1)
                .map(count -> count.getKey() + " started " + count.getValue() + " times")
                .toList();
    }

    private List<String> findContradictions() {
        List<String> found = new ArrayList<>();
        Set<String> began = executionsWithEvent("begin");
        Set<String> ended = executionsWithEvent("end");
        for (String name : evidence.executions().keySet()) {
            JsonNode failure = evidence.status(name).path("failureDetails");
            String phase = evidence.phase(name);
            boolean never = phase.equals("Skipped")
                    || (phase.equals("Failed")
                            && !failure.path("wasExecutionFailure").asBoolean());
            if (never && began.contains(name)) {
                found.add(name + " is " + phase + " as if it had not started, but it ran");
            }
            if (phase.equals("Completed") && !(began.contains(name) && ended.contains(name))) {
                found.add(name + " is Completed, but its run did not end");
            }
        }
        return found;
    }

    private Set<String> executionsWithEvent(String what) {
        Set<String> names = new HashSet<>();
        evidence.witnessLines().stream()
                .filter(line -> line.event().equals(what))
                .forEach(line -> names.add(line.execution()));
        return names;
    }

    /** A run without an end was stopped; it ended at the latest at its recorded completion time. */
    private List<String> findOverlaps() {
        List<String> found = new ArrayList<>();
        Map<String, Long> ends = new HashMap<>();
        evidence.witnessLines().stream()
                .filter(line -> line.event().equals("end"))
                .forEach(line -> ends.put(line.execution(), line.epochNanos()));
        Map<String, WitnessFile.Line> last = new HashMap<>();
        evidence.witnessLines().stream()
                .filter(line -> line.event().equals("begin"))
                .sorted(Comparator.comparingLong(WitnessFile.Line::epochNanos))
                .forEach(line -> {
                    WitnessFile.Line before = last.put(line.target(), line);
                    if (before != null && line.epochNanos() < endNanos(before, ends)) {
                        found.add("%s started on %s before %s had ended"
                                .formatted(line.execution(), line.target(), before.execution()));
                    }
                });
        return found;
    }

    private long endNanos(WitnessFile.Line begin, Map<String, Long> ends) {
        Long seen = ends.get(begin.execution());
        if (seen != null) {
            return seen;
        }
        String recorded =
                evidence.status(begin.execution()).path("completionTime").asText();
        return recorded.isEmpty() ? begin.epochNanos() : JournalEarlyStartCheck.epochNanos(recorded);
    }

    private List<String> findDuplicateTransitions() {
        Set<String> seen = new HashSet<>();
        return evidence.journal().stream()
                .filter(transition -> transition.hasNonNull("execution"))
                .map(transition -> transition.path("type").asText() + " of " + executionName(transition))
                .filter(transition -> !seen.add(transition))
                .toList();
    }

    private List<String> findSkipsWithoutReason() {
        return evidence.executions().keySet().stream()
                .filter(name -> evidence.phase(name).equals("Skipped"))
                .filter(name -> {
                    JsonNode details = evidence.status(name).path("skipDetails");
                    return details.path("reason").asText().isEmpty()
                            || details.path("message").asText().isEmpty();
                })
                .toList();
    }

    static String executionName(JsonNode transition) {
        return transition.path("execution").path("name").asText();
    }
}
