package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the state after every execution has finished. */
final class FinalStateCheck {

    private FinalStateCheck() {}

    /** P4: no acknowledged execution is gone, unless the load deleted it. */
    static List<String> findLostRequests(ClusterEvidence evidence) {
        EtcdHistory history = evidence.history();
        List<String> found = new ArrayList<>();
        evidence.acknowledged().forEach((uid, name) -> {
            boolean gone = history.execution(uid, Long.MAX_VALUE).isMissingNode();
            if (gone && !evidence.deleted().contains(uid)) {
                found.add(name + " was acknowledged and is gone");
            }
        });
        return found;
    }

    /** A started run stays as long as its execution does. */
    static List<String> findDeletedRuns(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        for (RunLifecycle run : history.runs().values()) {
            boolean wanted =
                    !history.execution(run.execution(), run.deletedRevision()).isMissingNode();
            if (run.wasStarted() && run.deletedRevision() != RunLifecycle.NEVER && wanted) {
                found.add("run %s of %s was deleted at revision %d"
                        .formatted(
                                run.name(),
                                RunStartCheck.executionName(history, run.execution()),
                                run.deletedRevision()));
            }
        }
        return found;
    }

    static List<String> findUnfinished(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, List<EtcdChange>> life :
                history.changesByUid(EtcdObjectKind.EXECUTION).entrySet()) {
            JsonNode execution = history.execution(life.getKey(), Long.MAX_VALUE);
            if (!execution.isMissingNode() && !PhaseCheck.isFinal(execution)) {
                found.add(RunStartCheck.executionName(history, life.getKey()) + " is " + PhaseCheck.phase(execution));
            }
        }
        return found;
    }

    static List<String> findStuckTargets(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        history.entries().keySet().forEach(name -> {
            JsonNode entry = history.entry(name, Long.MAX_VALUE);
            if (!LedgerEntryReader.holderUid(entry).isEmpty()) {
                found.add("%s is held by %s"
                        .formatted(
                                LedgerEntryReader.target(entry),
                                LedgerEntryReader.holder(entry).path("name").asText()));
            }
        });
        history.runs().values().stream()
                .filter(run -> !run.wasStarted() && run.deletedRevision() == RunLifecycle.NEVER)
                .forEach(run -> found.add("run %s of %s is suspended and will never be started"
                        .formatted(run.name(), RunStartCheck.executionName(history, run.execution()))));
        return found;
    }
}
