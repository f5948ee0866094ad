package dev.escapement.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds every broken promise. Pure: what it is told is all that it knows. */
final class Judge {

    private final Evidence evidence;
    private final Map<String, List<String>> findings = new LinkedHashMap<>();

    private Judge(Evidence evidence) {
        this.evidence = evidence;
    }

    /** The promises, each with what breaks it; an empty list is a promise that was kept. */
    static Map<String, List<String>> of(Evidence evidence) {
        return new Judge(evidence).judge();
    }

    private Map<String, List<String>> judge() {
        List<String> deleted = evidence.journal().stream()
                .filter(told -> told.path("type").asText().equals("ExecutionDeleted"))
                .map(Judge::name)
                .toList();
        findings.put("every acknowledged request is accounted for", lost(new HashSet<>(deleted)));
        findings.put("every execution came to its end", unfinished());
        findings.put("no target is stuck", evidence.held());
        findings.put("no execution ran twice", ranTwice());
        findings.put("what ran and what was recorded agree", contradictions());
        findings.put("no two ran on one target at once", overlaps());
        findings.put("the journal tells everything once", toldTwice());
        findings.put("nothing ran before its time", TooSoon.in(evidence));
        findings.put("every no says why", withoutReason());
        return findings;
    }

    private List<String> lost(Set<String> deleted) {
        return evidence.acknowledged().keySet().stream()
                .filter(name -> !evidence.executions().containsKey(name) && !deleted.contains(name))
                .toList();
    }

    private List<String> unfinished() {
        return evidence.executions().keySet().stream()
                .filter(name -> !Set.of("Completed", "Failed", "Skipped").contains(evidence.phase(name)))
                .map(name -> name + " is " + evidence.phase(name))
                .toList();
    }

    private List<String> ranTwice() {
        Map<String, Integer> begins = new HashMap<>();
        evidence.witness().stream()
                .filter(line -> line.what().equals("begin"))
                .forEach(line -> begins.merge(line.execution(), 1, Integer::sum));
        return begins.entrySet().stream()
                .filter(count -> count.getValue() > 1)
                .map(count -> count.getKey() + " began " + count.getValue() + " times")
                .toList();
    }

    private List<String> contradictions() {
        List<String> found = new ArrayList<>();
        Set<String> began = executions("begin");
        Set<String> ended = executions("end");
        for (String name : evidence.executions().keySet()) {
            JsonNode failure = evidence.status(name).path("failureDetails");
            String phase = evidence.phase(name);
            boolean never = phase.equals("Skipped")
                    || (phase.equals("Failed")
                            && !failure.path("wasExecutionFailure").asBoolean());
            if (never && began.contains(name)) {
                found.add(name + " is " + phase + " as if it had never started, and it ran");
            }
            if (phase.equals("Completed") && !(began.contains(name) && ended.contains(name))) {
                found.add(name + " is Completed and did not run to its end");
            }
        }
        return found;
    }

    private Set<String> executions(String what) {
        Set<String> names = new HashSet<>();
        evidence.witness().stream()
                .filter(line -> line.what().equals(what))
                .forEach(line -> names.add(line.execution()));
        return names;
    }

    /** A run without an end was stopped; its record says when at the latest. */
    private List<String> overlaps() {
        List<String> found = new ArrayList<>();
        Map<String, Long> ends = new HashMap<>();
        evidence.witness().stream()
                .filter(line -> line.what().equals("end"))
                .forEach(line -> ends.put(line.execution(), line.at()));
        Map<String, Witness.Line> last = new HashMap<>();
        evidence.witness().stream()
                .filter(line -> line.what().equals("begin"))
                .sorted(Comparator.comparingLong(Witness.Line::at))
                .forEach(line -> {
                    Witness.Line before = last.put(line.target(), line);
                    if (before != null && line.at() < end(before, ends)) {
                        found.add("%s began on %s before %s had ended"
                                .formatted(line.execution(), line.target(), before.execution()));
                    }
                });
        return found;
    }

    private long end(Witness.Line begin, Map<String, Long> ends) {
        Long seen = ends.get(begin.execution());
        if (seen != null) {
            return seen;
        }
        String recorded =
                evidence.status(begin.execution()).path("completionTime").asText();
        return recorded.isEmpty() ? begin.at() : TooSoon.nanos(recorded);
    }

    private List<String> toldTwice() {
        Set<String> seen = new HashSet<>();
        return evidence.journal().stream()
                .filter(told -> told.hasNonNull("execution"))
                .map(told -> told.path("type").asText() + " of " + name(told))
                .filter(told -> !seen.add(told))
                .toList();
    }

    private List<String> withoutReason() {
        return evidence.executions().keySet().stream()
                .filter(name -> evidence.phase(name).equals("Skipped"))
                .filter(name -> {
                    JsonNode details = evidence.status(name).path("skipDetails");
                    return details.path("reason").asText().isEmpty()
                            || details.path("message").asText().isEmpty();
                })
                .toList();
    }

    static String name(JsonNode told) {
        return told.path("execution").path("name").asText();
    }
}
