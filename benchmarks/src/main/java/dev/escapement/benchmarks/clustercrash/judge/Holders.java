package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Who holds a target, revision by revision. There is one place for a holder, so the question is how it changes. */
final class Holders {

    private Holders() {}

    /** A holder that is at work is neither replaced nor thrown out, whoever writes. */
    static List<String> in(History history) {
        List<String> found = new ArrayList<>();
        history.entries().values().forEach(life -> life.forEach(change -> judge(history, change, found)));
        return found;
    }

    private static void judge(History history, Change change, List<String> found) {
        String before = Entries.holderUid(change.before());
        String after = Entries.holderUid(change.after());
        if (before.isEmpty()) {
            return;
        }
        if (before.equals(after)) {
            if (!run(change.before()).equals(run(change.after()))) {
                found.add(
                        "%s: the run of its holder changed at revision %d".formatted(title(change), change.revision()));
            }
            return;
        }
        JsonNode holder = history.execution(before, change.revision());
        if (!holder.isMissingNode() && !Phases.isFinal(holder)) {
            found.add("%s was taken from %s, which was %s, at revision %d"
                    .formatted(title(change), name(change.before()), Phases.phase(holder), change.revision()));
        } else if (holder.isMissingNode() && !after.isEmpty()) {
            found.add("%s went from %s, which was deleted, to %s without being released, at revision %d"
                    .formatted(title(change), name(change.before()), name(change.after()), change.revision()));
        }
        history.runsOf(before).stream()
                .filter(run -> run.isGoingAt(change.revision()))
                .forEach(run -> found.add("%s was released at revision %d while run %s of %s was going on"
                        .formatted(title(change), change.revision(), run.name(), name(change.before()))));
    }

    /**
     * The fencing number grows whenever a target is taken or cleared, and never falls, also if the entry is made anew.
     */
    static List<String> epochsIn(History history) {
        List<String> found = new ArrayList<>();
        history.entries().values().forEach(life -> {
            long highest = 0;
            for (Change change : life) {
                if (change.isDeletion()) {
                    continue;
                }
                long epoch = Entries.epoch(change.after());
                boolean taken = isTaken(change);
                if (epoch < highest || (taken && epoch == highest)) {
                    found.add("%s: epoch %d after %d at revision %d"
                            .formatted(title(change), epoch, highest, change.revision()));
                }
                highest = Math.max(highest, epoch);
            }
        });
        return found;
    }

    static boolean isTaken(Change change) {
        String after = Entries.holderUid(change.after());
        return !after.isEmpty() && !after.equals(Entries.holderUid(change.before()));
    }

    private static String run(JsonNode entry) {
        return Entries.holder(entry).path("pipelineRun").path("uid").asText();
    }

    private static String title(Change change) {
        return Entries.target(change.object());
    }

    private static String name(JsonNode entry) {
        JsonNode holder = Entries.holder(entry);
        return holder.path("namespace").asText() + "/" + holder.path("name").asText();
    }
}
