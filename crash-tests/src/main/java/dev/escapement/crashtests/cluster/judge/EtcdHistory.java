package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every write, in the order in which they happened. */
public final class EtcdHistory {

    private final List<EtcdChange> changes;
    private final Map<EtcdObjectKind, Map<String, List<EtcdChange>>> changesByUid;
    private final Map<String, RunLifecycle> runs = new LinkedHashMap<>();
    private final Map<String, List<EtcdChange>> entries;

    /** Sorts what it is given. */
    public EtcdHistory(Collection<EtcdChange> unsorted) {
        changes = unsorted.stream()
                .sorted(Comparator.comparingLong(EtcdChange::revision))
                .toList();
        changesByUid = changes.stream()
                .collect(Collectors.groupingBy(
                        EtcdChange::kind,
                        Collectors.groupingBy(EtcdChange::uid, LinkedHashMap::new, Collectors.toList())));
        changesByUid(EtcdObjectKind.RUN).forEach((uid, life) -> runs.put(uid, RunLifecycle.of(life)));
        entries = changes.stream()
                .filter(change -> change.kind() == EtcdObjectKind.ENTRY)
                .collect(Collectors.groupingBy(EtcdChange::path, LinkedHashMap::new, Collectors.toList()));
    }

    /** All of them. */
    public List<EtcdChange> changes() {
        return changes;
    }

    /** What happened to each object of a kind, by its uid. */
    public Map<String, List<EtcdChange>> changesByUid(EtcdObjectKind kind) {
        return changesByUid.getOrDefault(kind, Map.of());
    }

    /** What happened to the entry of each target, by its object name; also when it was removed and made anew. */
    public Map<String, List<EtcdChange>> entries() {
        return entries;
    }

    /** The runs, by their uid. */
    public Map<String, RunLifecycle> runs() {
        return runs;
    }

    /** The runs of an execution. */
    List<RunLifecycle> runsOf(String execution) {
        return runs.values().stream()
                .filter(run -> run.execution().equals(execution))
                .toList();
    }

    /** An execution after that revision; missing if it is not there. */
    JsonNode execution(String uid, long revision) {
        return lastState(changesByUid(EtcdObjectKind.EXECUTION).getOrDefault(uid, List.of()), revision);
    }

    /** What was last known of an execution at that revision, also if it had been deleted by then. */
    JsonNode lastKnown(String uid, long revision) {
        JsonNode known = MissingNode.getInstance();
        for (EtcdChange change : changesByUid(EtcdObjectKind.EXECUTION).getOrDefault(uid, List.of())) {
            if (change.revision() <= revision) {
                known = change.object();
            }
        }
        return known;
    }

    /** The entry of a target after that revision; missing if there is none. */
    JsonNode entry(String name, long revision) {
        return lastState(entries.getOrDefault(name, List.of()), revision);
    }

    private static JsonNode lastState(List<EtcdChange> life, long revision) {
        JsonNode state = MissingNode.getInstance();
        for (EtcdChange change : life) {
            if (change.revision() <= revision) {
                state = change.after();
            }
        }
        return state;
    }
}
