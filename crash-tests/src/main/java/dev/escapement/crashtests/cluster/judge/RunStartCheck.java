package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks which runs were started, and for which executions. */
final class RunStartCheck {

    private RunStartCheck() {}

    static List<String> findDoubleStarts(EtcdHistory history) {
        Map<String, List<String>> started = history.runs().values().stream()
                .filter(RunLifecycle::wasStarted)
                .collect(Collectors.groupingBy(
                        RunLifecycle::execution, Collectors.mapping(RunLifecycle::name, Collectors.toList())));
        List<String> found = new ArrayList<>();
        started.forEach((uid, runs) -> {
            if (runs.size() > 1) {
                found.add("%s started %d runs: %s".formatted(executionName(history, uid), runs.size(), runs));
            }
        });
        return found;
    }

    /** Finds runs that were started although the ledger or the status did not name them. */
    static List<String> findUnnamedStarts(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        for (RunLifecycle run : history.runs().values()) {
            if (!run.wasStarted()) {
                continue;
            }
            JsonNode holder = LedgerEntryReader.holder(history.entry(run.target(), run.startedRevision()));
            if (!holder.path("uid").asText().equals(run.execution())
                    || !holder.path("pipelineRun").path("uid").asText().equals(run.uid())) {
                found.add("%s was started at revision %d, but the ledger did not name it"
                        .formatted(describe(history, run), run.startedRevision()));
            }
            JsonNode execution = history.lastKnown(run.execution(), run.startedRevision());
            String phase = PhaseCheck.phase(execution);
            if (!phase.equals("Running") || !runUid(execution).equals(run.uid())) {
                found.add("%s was started at revision %d, but its execution was %s with run %s"
                        .formatted(describe(history, run), run.startedRevision(), phase, runUid(execution)));
            }
        }
        return found;
    }

    static List<String> findOverlaps(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        Map<String, RunLifecycle> last = new HashMap<>();
        history.runs().values().stream()
                .filter(RunLifecycle::wasStarted)
                .sorted(Comparator.comparingLong(RunLifecycle::startedRevision))
                .forEach(run -> {
                    RunLifecycle before = last.get(run.target());
                    if (before != null && run.startedRevision() < before.endedRevision()) {
                        found.add("%s was started on its target at revision %d, but %s ended at %s"
                                .formatted(
                                        describe(history, run),
                                        run.startedRevision(),
                                        describe(history, before),
                                        describeEnd(before)));
                    }
                    if (before == null || run.endedRevision() > before.endedRevision()) {
                        last.put(run.target(), run);
                    }
                });
        return found;
    }

    /** Finds executions whose phase contradicts their run. */
    static List<String> findContradictions(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, List<EtcdChange>> entry :
                history.changesByUid(EtcdObjectKind.EXECUTION).entrySet()) {
            JsonNode execution = history.lastKnown(entry.getKey(), Long.MAX_VALUE);
            String phase = PhaseCheck.phase(execution);
            List<RunLifecycle> started = history.runsOf(entry.getKey()).stream()
                    .filter(RunLifecycle::wasStarted)
                    .toList();
            if (phase.equals("Skipped") && !started.isEmpty()) {
                found.add(executionName(history, entry.getKey()) + " is Skipped, but its run was started");
            }
            if (phase.equals("Completed")
                    && started.stream()
                            .noneMatch(run -> run.succeeded() && run.uid().equals(runUid(execution)))) {
                found.add(executionName(history, entry.getKey()) + " is Completed, but its run did not succeed");
            }
            JsonNode failure = execution.path("status").path("failureDetails");
            if (phase.equals("Failed")
                    && !failure.path("wasExecutionFailure").asBoolean()
                    && started.stream().anyMatch(run -> run.succeeded())) {
                found.add(
                        executionName(history, entry.getKey()) + " is Failed before execution, but its run succeeded");
            }
        }
        return found;
    }

    private static String runUid(JsonNode execution) {
        return execution.path("status").path("pipelineRunRef").path("uid").asText();
    }

    private static String describe(EtcdHistory history, RunLifecycle run) {
        return "run %s of %s".formatted(run.name(), executionName(history, run.execution()));
    }

    static String executionName(EtcdHistory history, String uid) {
        JsonNode metadata = history.lastKnown(uid, Long.MAX_VALUE).path("metadata");
        return metadata.isMissingNode()
                ? "the execution " + uid
                : metadata.path("namespace").asText() + "/"
                        + metadata.path("name").asText();
    }

    private static String describeEnd(RunLifecycle run) {
        return run.endedRevision() == RunLifecycle.NEVER ? "no revision" : "revision " + run.endedRevision();
    }
}
