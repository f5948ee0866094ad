package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the state after every execution has finished. */
final class FinalStateCheck {

    private FinalStateCheck() {}

    /** P4: finds acknowledged executions that are missing although the load did not delete them. */
    static List<String> findLostRequests(ClusterEvidence evidence) {
        EtcdHistory history = evidence.history();
        List<String> found = new ArrayList<>();
        evidence.acknowledged().forEach((uid, name) -> {
            boolean missing = history.execution(uid, Long.MAX_VALUE).isMissingNode();
            if (missing && !evidence.deleted().contains(uid)) {
                found.add(name + " was acknowledged and is missing");
            }
        });
        return found;
    }

    /**
     * Finds started runs that were deleted before their execution. While Tekton is away, the operator removes a
     * PipelineRun that does not stop, or that was not picked up; then its execution has failed.
     */
    static List<String> findDeletedRuns(ClusterEvidence evidence) {
        EtcdHistory history = evidence.history();
        List<String> found = new ArrayList<>();
        for (RunLifecycle run : history.runs().values()) {
            boolean executionExists =
                    !history.execution(run.execution(), run.deletedRevision()).isMissingNode();
            boolean removedInOutage = run.kind().equals("PipelineRun")
                    && evidence.executorOutages().stream().anyMatch(outage -> outage.contains(run.deletedRevision()))
                    && PhaseCheck.phase(history.lastKnown(run.execution(), Long.MAX_VALUE))
                            .equals("Failed");
            if (run.wasStarted()
                    && run.deletedRevision() != RunLifecycle.NEVER
                    && executionExists
                    && !removedInOutage) {
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
        for (Map.Entry<String, List<EtcdChange>> entry :
                history.changesByUid(EtcdObjectKind.EXECUTION).entrySet()) {
            JsonNode execution = history.execution(entry.getKey(), Long.MAX_VALUE);
            if (!execution.isMissingNode() && !PhaseCheck.isFinal(execution)) {
                found.add(RunStartCheck.executionName(history, entry.getKey()) + " is " + PhaseCheck.phase(execution));
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
                .forEach(run -> found.add("run %s of %s is still suspended"
                        .formatted(run.name(), RunStartCheck.executionName(history, run.execution()))));
        return found;
    }
}
