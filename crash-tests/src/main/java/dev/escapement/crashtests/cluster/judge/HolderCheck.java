package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Checks how the holder of each target changes, revision by revision. */
final class HolderCheck {

    private HolderCheck() {}

    /** Finds unfinished holders that were replaced or removed. */
    static List<String> check(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        history.entries().values().forEach(life -> life.forEach(change -> checkChange(history, change, found)));
        return found;
    }

    private static void checkChange(EtcdHistory history, EtcdChange change, List<String> found) {
        String before = LedgerEntryReader.holderUid(change.before());
        String after = LedgerEntryReader.holderUid(change.after());
        if (before.isEmpty()) {
            return;
        }
        if (before.equals(after)) {
            if (!runUid(change.before()).equals(runUid(change.after()))) {
                found.add("%s: the run of its holder changed at revision %d"
                        .formatted(targetName(change), change.revision()));
            }
            return;
        }
        JsonNode holder = history.execution(before, change.revision());
        if (!holder.isMissingNode() && !PhaseCheck.isFinal(holder)) {
            found.add("%s lost its holder %s, which was %s, at revision %d"
                    .formatted(
                            targetName(change),
                            holderName(change.before()),
                            PhaseCheck.phase(holder),
                            change.revision()));
        } else if (holder.isMissingNode() && !after.isEmpty()) {
            found.add("%s changed from %s, which was deleted, to %s without a release, at revision %d"
                    .formatted(
                            targetName(change),
                            holderName(change.before()),
                            holderName(change.after()),
                            change.revision()));
        }
        history.runsOf(before).stream()
                .filter(run -> run.isRunningAt(change.revision()))
                .forEach(run -> found.add("%s was released at revision %d while run %s of %s was active"
                        .formatted(targetName(change), change.revision(), run.name(), holderName(change.before()))));
    }

    /**
     * Finds epochs that did not increase with an acquisition, or that decreased, also across deletions of the entry.
     */
    static List<String> checkEpochs(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        history.entries().values().forEach(life -> {
            long highest = 0;
            for (EtcdChange change : life) {
                if (change.isDeletion()) {
                    continue;
                }
                long epoch = LedgerEntryReader.epoch(change.after());
                boolean acquired = isAcquisition(change);
                if (epoch < highest || (acquired && epoch == highest)) {
                    found.add("%s: epoch %d after %d at revision %d"
                            .formatted(targetName(change), epoch, highest, change.revision()));
                }
                highest = Math.max(highest, epoch);
            }
        });
        return found;
    }

    static boolean isAcquisition(EtcdChange change) {
        String after = LedgerEntryReader.holderUid(change.after());
        return !after.isEmpty() && !after.equals(LedgerEntryReader.holderUid(change.before()));
    }

    private static String runUid(JsonNode entry) {
        return LedgerEntryReader.holder(entry).path("pipelineRun").path("uid").asText();
    }

    private static String targetName(EtcdChange change) {
        return LedgerEntryReader.target(change.object());
    }

    private static String holderName(JsonNode entry) {
        JsonNode holder = LedgerEntryReader.holder(entry);
        return holder.path("namespace").asText() + "/" + holder.path("name").asText();
    }
}
