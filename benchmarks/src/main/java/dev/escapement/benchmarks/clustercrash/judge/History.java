package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every write, in the order in which they happened. */
public final class History {

    private final List<Change> changes;
    private final Map<Kind, Map<String, List<Change>>> byUid;
    private final Map<String, RunLife> runs = new LinkedHashMap<>();
    private final Map<String, List<Change>> entries;

    /** Sorts what it is given. */
    public History(Collection<Change> unsorted) {
        changes = unsorted.stream()
                .sorted(Comparator.comparingLong(Change::revision))
                .toList();
        byUid = changes.stream()
                .collect(Collectors.groupingBy(
                        Change::kind, Collectors.groupingBy(Change::uid, LinkedHashMap::new, Collectors.toList())));
        lives(Kind.RUN).forEach((uid, life) -> runs.put(uid, RunLife.of(life)));
        entries = changes.stream()
                .filter(change -> change.kind() == Kind.ENTRY)
                .collect(Collectors.groupingBy(Change::path, LinkedHashMap::new, Collectors.toList()));
    }

    /** All of them. */
    public List<Change> changes() {
        return changes;
    }

    /** What happened to each object of a kind, by its uid. */
    public Map<String, List<Change>> lives(Kind kind) {
        return byUid.getOrDefault(kind, Map.of());
    }

    /** What happened to the entry of each target, by its object name; also when it was removed and made anew. */
    public Map<String, List<Change>> entries() {
        return entries;
    }

    /** The runs, by their uid. */
    public Map<String, RunLife> runs() {
        return runs;
    }

    /** The runs of an execution. */
    List<RunLife> runsOf(String execution) {
        return runs.values().stream()
                .filter(run -> run.execution().equals(execution))
                .toList();
    }

    /** An execution after that revision; missing if it is not there. */
    JsonNode execution(String uid, long revision) {
        return last(lives(Kind.EXECUTION).getOrDefault(uid, List.of()), revision);
    }

    /** What was last known of an execution at that revision, also if it had been deleted by then. */
    JsonNode lastKnown(String uid, long revision) {
        JsonNode known = MissingNode.getInstance();
        for (Change change : lives(Kind.EXECUTION).getOrDefault(uid, List.of())) {
            if (change.revision() <= revision) {
                known = change.object();
            }
        }
        return known;
    }

    /** The entry of a target after that revision; missing if there is none. */
    JsonNode entry(String name, long revision) {
        return last(entries.getOrDefault(name, List.of()), revision);
    }

    private static JsonNode last(List<Change> life, long revision) {
        JsonNode state = MissingNode.getInstance();
        for (Change change : life) {
            if (change.revision() <= revision) {
                state = change.after();
            }
        }
        return state;
    }
}
