package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** All writes, in their order. */
public final class EtcdHistory {

    private final List<EtcdChange> changes;
    private final Map<EtcdObjectKind, Map<String, List<EtcdChange>>> changesByUid;
    private final Map<String, RunLifecycle> runs = new LinkedHashMap<>();
    private final Map<String, List<EtcdChange>> entries;

    public EtcdHistory(Collection<EtcdChange> unsorted) {
        changes = unsorted.stream()
                .sorted(Comparator.comparingLong(EtcdChange::revision))
                .toList();
        changesByUid = changes.stream()
                .collect(Collectors.groupingBy(
                        EtcdChange::kind,
                        Collectors.groupingBy(EtcdChange::uid, LinkedHashMap::new, Collectors.toList())));
        changesByUid(EtcdObjectKind.RUN).forEach((uid, ownChanges) -> runs.put(uid, RunLifecycle.of(ownChanges)));
        entries = changes.stream()
                .filter(change -> change.kind() == EtcdObjectKind.ENTRY)
                .collect(Collectors.groupingBy(EtcdChange::path, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns the history without these ledger entries, by object name, and without the runs on their targets. */
    EtcdHistory withoutTargets(Set<String> names) {
        return new EtcdHistory(changes.stream()
                .filter(change -> change.kind() != EtcdObjectKind.ENTRY || !names.contains(change.path()))
                .filter(change -> change.kind() != EtcdObjectKind.RUN
                        || !names.contains(
                                Objects.requireNonNull(runs.get(change.uid())).target()))
                .toList());
    }

    public List<EtcdChange> changes() {
        return changes;
    }

    /** Returns the writes of each object of a kind, by its uid. */
    public Map<String, List<EtcdChange>> changesByUid(EtcdObjectKind kind) {
        return changesByUid.getOrDefault(kind, Map.of());
    }

    /** Returns the writes of the entry of each target, by its object name, across deletions of the entry. */
    public Map<String, List<EtcdChange>> entries() {
        return entries;
    }

    /** Returns the runs, by uid. */
    public Map<String, RunLifecycle> runs() {
        return runs;
    }

    List<RunLifecycle> runsOf(String execution) {
        return runs.values().stream()
                .filter(run -> run.execution().equals(execution))
                .toList();
    }

    /** Returns an execution at that revision; missing if it does not exist. */
    JsonNode execution(String uid, long revision) {
        return lastState(changesByUid(EtcdObjectKind.EXECUTION).getOrDefault(uid, List.of()), revision);
    }

    /** Returns the last state of an execution up to that revision, also if it has been deleted. */
    JsonNode lastKnown(String uid, long revision) {
        JsonNode known = MissingNode.getInstance();
        for (EtcdChange change : changesByUid(EtcdObjectKind.EXECUTION).getOrDefault(uid, List.of())) {
            if (change.revision() <= revision) {
                known = change.object();
            }
        }
        return known;
    }

    /** Returns the entry of a target at that revision; missing if it does not exist. */
    JsonNode entry(String name, long revision) {
        return lastState(entries.getOrDefault(name, List.of()), revision);
    }

    private static JsonNode lastState(List<EtcdChange> ownChanges, long revision) {
        JsonNode state = MissingNode.getInstance();
        for (EtcdChange change : ownChanges) {
            if (change.revision() <= revision) {
                state = change.after();
            }
        }
        return state;
    }
}
