package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the ledger remembers: what happened goes in when a target is released, and only a stated reason takes it out.
 */
final class Memories {

    private final History history;
    private final List<String> found = new ArrayList<>();

    private Memories(History history) {
        this.history = history;
    }

    static List<String> in(History history) {
        Memories search = new Memories(history);
        history.entries().values().forEach(life -> life.forEach(search::judge));
        return search.found;
    }

    private void judge(Change change) {
        String holder = Entries.holderUid(change.before());
        if (!holder.isEmpty() && !holder.equals(Entries.holderUid(change.after()))) {
            released(change, holder);
        }
        blocks(change);
        retries(change);
    }

    private void released(Change change, String uid) {
        JsonNode execution = history.execution(uid, change.revision());
        boolean started = history.runsOf(uid).stream().anyMatch(run -> run.started() <= change.revision());
        if (execution.isMissingNode()) {
            boolean ended = Phases.isFinal(history.lastKnown(uid, change.revision()));
            if (started && !ended && !Entries.remembers(change.after(), uid)) {
                say(change, uid, "had started and was deleted, and nothing is remembered of it");
            }
            return;
        }
        JsonNode status = execution.path("status");
        switch (Phases.phase(execution)) {
            case "Completed" -> {
                if (!mentions(Entries.completed(change.after()), uid)) {
                    say(change, uid, "completed, and that is not remembered");
                }
            }
            case "Failed" -> failed(change, uid, status);
            default -> {
                if (started) {
                    say(change, uid, "had started and is " + Phases.phase(execution));
                }
            }
        }
    }

    private void failed(Change change, String uid, JsonNode status) {
        if (status.path("failureDetails").path("wasExecutionFailure").asBoolean()) {
            if (!mentions(Entries.blocks(change.after()), uid)) {
                say(change, uid, "failed while it ran, and the target is not blocked");
            }
            return;
        }
        Optional<Instant> promised = Entries.time(status.path("nextAllowedExecution"));
        if (promised.isEmpty() || isClearedAfter(change.after(), status)) {
            return;
        }
        boolean counted =
                Entries.retry(change.after()).path("last").path("uid").asText().equals(uid);
        Optional<Instant> kept = Entries.nextAllowed(change.after());
        if (!counted || kept.isEmpty() || kept.get().isBefore(promised.get())) {
            say(
                    change,
                    uid,
                    "could not start and said not before %s, and the ledger says %s"
                            .formatted(
                                    promised.get(), kept.map(Instant::toString).orElse("nothing")));
        }
    }

    private static boolean isClearedAfter(JsonNode entry, JsonNode status) {
        Optional<Instant> cleared = Entries.time(Entries.clearance(entry).path("clearedAt"));
        Optional<Instant> failed = Entries.time(status.path("completionTime"));
        return cleared.isPresent() && failed.isPresent() && !failed.get().isAfter(cleared.get());
    }

    private void blocks(Change change) {
        for (JsonNode block : Entries.blocks(change.before())) {
            String uid = block.path("uid").asText();
            boolean mayGo = isCleared(change)
                    || (!block.path("executionDeleted").asBoolean() && isDeleted(uid, change.revision()));
            if (!mentions(Entries.blocks(change.after()), uid) && !mayGo) {
                say(change, uid, "had blocked it, and the block went without a clearance");
            }
        }
    }

    private void retries(Change change) {
        JsonNode before = Entries.retry(change.before());
        JsonNode after = Entries.retry(change.after());
        String uid = before.path("last").path("uid").asText();
        if (before.isMissingNode()) {
            return;
        }
        int failures = after.path("consecutiveFailures").asInt();
        boolean mayGo = isCleared(change)
                || mentions(Entries.completed(change.after()), Entries.holderUid(change.before()))
                || isDeleted(uid, change.revision());
        if (failures < before.path("consecutiveFailures").asInt() && !mayGo) {
            say(change, uid, "was counted as a failure, and the count fell to " + failures);
        }
        boolean same = after.path("last").path("uid").asText().equals(uid);
        if (same && !after.path("nextAllowedExecution").equals(before.path("nextAllowedExecution"))) {
            say(change, uid, "has set a deadline, and it was drawn again");
        }
    }

    static boolean isCleared(Change change) {
        JsonNode after = Entries.clearance(change.after());
        return !after.isMissingNode() && !after.equals(Entries.clearance(change.before()));
    }

    private boolean isDeleted(String uid, long revision) {
        return history.execution(uid, revision).isMissingNode();
    }

    private static boolean mentions(List<JsonNode> pasts, String uid) {
        return pasts.stream().anyMatch(past -> past.path("uid").asText().equals(uid));
    }

    private void say(Change change, String uid, String what) {
        found.add("%s: %s %s, at revision %d"
                .formatted(Entries.target(change.object()), Starts.name(history, uid), what, change.revision()));
    }
}
