package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is left when everything has come to its end. */
final class Endings {

    private Endings() {}

    /** P4, and nobody but those who meant to has deleted an execution: no garbage collector, no mistake. */
    static List<String> lostIn(Evidence evidence) {
        History history = evidence.history();
        List<String> found = new ArrayList<>();
        evidence.acknowledged().forEach((uid, name) -> {
            boolean gone = history.execution(uid, Long.MAX_VALUE).isMissingNode();
            if (gone && !evidence.deleted().contains(uid)) {
                found.add(name + " was acknowledged and is gone");
            }
        });
        return found;
    }

    /** A run that was let go stays for as long as its execution does. */
    static List<String> deletedRunsIn(History history) {
        List<String> found = new ArrayList<>();
        for (RunLife run : history.runs().values()) {
            boolean wanted = !history.execution(run.execution(), run.deleted()).isMissingNode();
            if (run.wasStarted() && run.deleted() != RunLife.NEVER && wanted) {
                found.add("run %s of %s was deleted at revision %d"
                        .formatted(run.name(), Starts.name(history, run.execution()), run.deleted()));
            }
        }
        return found;
    }

    static List<String> unfinishedIn(History history) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, List<Change>> life :
                history.lives(Kind.EXECUTION).entrySet()) {
            JsonNode execution = history.execution(life.getKey(), Long.MAX_VALUE);
            if (!execution.isMissingNode() && !Phases.isFinal(execution)) {
                found.add(Starts.name(history, life.getKey()) + " is " + Phases.phase(execution));
            }
        }
        return found;
    }

    static List<String> stuckIn(History history) {
        List<String> found = new ArrayList<>();
        history.entries().keySet().forEach(name -> {
            JsonNode entry = history.entry(name, Long.MAX_VALUE);
            if (!Entries.holderUid(entry).isEmpty()) {
                found.add("%s is held by %s"
                        .formatted(
                                Entries.target(entry),
                                Entries.holder(entry).path("name").asText()));
            }
        });
        history.runs().values().stream()
                .filter(run -> !run.wasStarted() && run.deleted() == RunLife.NEVER)
                .forEach(run -> found.add("run %s of %s is suspended, and nobody will start it"
                        .formatted(run.name(), Starts.name(history, run.execution()))));
        return found;
    }
}
