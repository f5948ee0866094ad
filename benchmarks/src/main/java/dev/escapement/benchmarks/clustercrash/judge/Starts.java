package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which runs were let go, and under whose name. */
final class Starts {

    private Starts() {}

    static List<String> twiceIn(History history) {
        Map<String, List<String>> started = history.runs().values().stream()
                .filter(RunLife::wasStarted)
                .collect(Collectors.groupingBy(
                        RunLife::execution, Collectors.mapping(RunLife::name, Collectors.toList())));
        List<String> found = new ArrayList<>();
        started.forEach((uid, runs) -> {
            if (runs.size() > 1) {
                found.add("%s started %d runs: %s".formatted(name(history, uid), runs.size(), runs));
            }
        });
        return found;
    }

    /** Prepare, commit, record, start: when a run is let go, the ledger and the status have named that very run. */
    static List<String> unnamedIn(History history) {
        List<String> found = new ArrayList<>();
        for (RunLife run : history.runs().values()) {
            if (!run.wasStarted()) {
                continue;
            }
            JsonNode holder = Entries.holder(history.entry(run.target(), run.started()));
            if (!holder.path("uid").asText().equals(run.execution())
                    || !holder.path("pipelineRun").path("uid").asText().equals(run.uid())) {
                found.add("%s was started at revision %d, and the ledger did not name it"
                        .formatted(title(history, run), run.started()));
            }
            JsonNode execution = history.lastKnown(run.execution(), run.started());
            String phase = Phases.phase(execution);
            if (!phase.equals("Running") || !runOf(execution).equals(run.uid())) {
                found.add("%s was started at revision %d, and its execution was %s with run %s"
                        .formatted(title(history, run), run.started(), phase, runOf(execution)));
            }
        }
        return found;
    }

    static List<String> overlapsIn(History history) {
        List<String> found = new ArrayList<>();
        Map<String, RunLife> last = new HashMap<>();
        history.runs().values().stream()
                .filter(RunLife::wasStarted)
                .sorted(Comparator.comparingLong(RunLife::started))
                .forEach(run -> {
                    RunLife before = last.get(run.target());
                    if (before != null && run.started() < before.ended()) {
                        found.add("%s was started on its target at revision %d, and %s ended at %s"
                                .formatted(title(history, run), run.started(), title(history, before), end(before)));
                    }
                    if (before == null || run.ended() > before.ended()) {
                        last.put(run.target(), run);
                    }
                });
        return found;
    }

    /** What is said of an execution, and what its run did. */
    static List<String> contradictionsIn(History history) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, List<Change>> life :
                history.lives(Kind.EXECUTION).entrySet()) {
            JsonNode execution = history.lastKnown(life.getKey(), Long.MAX_VALUE);
            String phase = Phases.phase(execution);
            List<RunLife> started = history.runsOf(life.getKey()).stream()
                    .filter(RunLife::wasStarted)
                    .toList();
            if (phase.equals("Skipped") && !started.isEmpty()) {
                found.add(name(history, life.getKey()) + " is Skipped, and its run was started");
            }
            if (phase.equals("Completed")
                    && started.stream()
                            .noneMatch(run -> run.succeeded() && run.uid().equals(runOf(execution)))) {
                found.add(name(history, life.getKey()) + " is Completed, and its run did not succeed");
            }
            JsonNode failure = execution.path("status").path("failureDetails");
            if (phase.equals("Failed")
                    && !failure.path("wasExecutionFailure").asBoolean()
                    && started.stream().anyMatch(run -> run.succeeded())) {
                found.add(name(history, life.getKey()) + " is said never to have started, and its run succeeded");
            }
        }
        return found;
    }

    private static String runOf(JsonNode execution) {
        return execution.path("status").path("pipelineRunRef").path("uid").asText();
    }

    private static String title(History history, RunLife run) {
        return "run %s of %s".formatted(run.name(), name(history, run.execution()));
    }

    static String name(History history, String uid) {
        JsonNode metadata = history.lastKnown(uid, Long.MAX_VALUE).path("metadata");
        return metadata.isMissingNode()
                ? "the execution " + uid
                : metadata.path("namespace").asText() + "/"
                        + metadata.path("name").asText();
    }

    private static String end(RunLife run) {
        return run.ended() == RunLife.NEVER ? "no time" : "revision " + run.ended();
    }
}
