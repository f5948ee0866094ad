package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the ledger remembers: what happened goes in when a target is released, and only a stated reason takes it out.
 */
final class LedgerMemoryCheck {

    private final EtcdHistory history;
    private final List<String> violations = new ArrayList<>();

    private LedgerMemoryCheck(EtcdHistory history) {
        this.history = history;
    }

    static List<String> check(EtcdHistory history) {
        LedgerMemoryCheck search = new LedgerMemoryCheck(history);
        history.entries().values().forEach(life -> life.forEach(search::checkChange));
        return search.violations;
    }

    private void checkChange(EtcdChange change) {
        String holder = LedgerEntryReader.holderUid(change.before());
        if (!holder.isEmpty() && !holder.equals(LedgerEntryReader.holderUid(change.after()))) {
            checkRelease(change, holder);
        }
        checkBlocks(change);
        checkRetries(change);
    }

    private void checkRelease(EtcdChange change, String uid) {
        JsonNode execution = history.execution(uid, change.revision());
        boolean started = history.runsOf(uid).stream().anyMatch(run -> run.startedRevision() <= change.revision());
        if (execution.isMissingNode()) {
            boolean ended = PhaseCheck.isFinal(history.lastKnown(uid, change.revision()));
            if (started && !ended && !LedgerEntryReader.remembers(change.after(), uid)) {
                addViolation(change, uid, "had started and was deleted, and nothing is remembered of it");
            }
            return;
        }
        JsonNode status = execution.path("status");
        switch (PhaseCheck.phase(execution)) {
            case "Completed" -> {
                if (!containsUid(LedgerEntryReader.completedExecutions(change.after()), uid)) {
                    addViolation(change, uid, "completed, and that is not remembered");
                }
            }
            case "Failed" -> checkFailure(change, uid, status);
            default -> {
                if (started) {
                    addViolation(change, uid, "had started and is " + PhaseCheck.phase(execution));
                }
            }
        }
    }

    private void checkFailure(EtcdChange change, String uid, JsonNode status) {
        if (status.path("failureDetails").path("wasExecutionFailure").asBoolean()) {
            if (!containsUid(LedgerEntryReader.blocks(change.after()), uid)) {
                addViolation(change, uid, "failed while it ran, and the target is not blocked");
            }
            return;
        }
        Optional<Instant> promised = LedgerEntryReader.parseTime(status.path("nextAllowedExecution"));
        if (promised.isEmpty() || isClearedAfter(change.after(), status)) {
            return;
        }
        boolean counted = LedgerEntryReader.failureStreak(change.after())
                .path("last")
                .path("uid")
                .asText()
                .equals(uid);
        Optional<Instant> kept = LedgerEntryReader.nextAllowed(change.after());
        if (!counted || kept.isEmpty() || kept.get().isBefore(promised.get())) {
            addViolation(
                    change,
                    uid,
                    "could not start and said not before %s, and the ledger says %s"
                            .formatted(
                                    promised.get(), kept.map(Instant::toString).orElse("nothing")));
        }
    }

    private static boolean isClearedAfter(JsonNode entry, JsonNode status) {
        Optional<Instant> cleared =
                LedgerEntryReader.parseTime(LedgerEntryReader.clearance(entry).path("clearedAt"));
        Optional<Instant> failed = LedgerEntryReader.parseTime(status.path("completionTime"));
        return cleared.isPresent() && failed.isPresent() && !failed.get().isAfter(cleared.get());
    }

    private void checkBlocks(EtcdChange change) {
        for (JsonNode block : LedgerEntryReader.blocks(change.before())) {
            String uid = block.path("uid").asText();
            boolean mayGo = isClearance(change)
                    || (!block.path("executionDeleted").asBoolean() && isDeleted(uid, change.revision()));
            if (!containsUid(LedgerEntryReader.blocks(change.after()), uid) && !mayGo) {
                addViolation(change, uid, "had blocked it, and the block went without a clearance");
            }
        }
    }

    private void checkRetries(EtcdChange change) {
        JsonNode before = LedgerEntryReader.failureStreak(change.before());
        JsonNode after = LedgerEntryReader.failureStreak(change.after());
        String uid = before.path("last").path("uid").asText();
        if (before.isMissingNode()) {
            return;
        }
        int failures = after.path("consecutiveFailures").asInt();
        boolean mayGo = isClearance(change)
                || containsUid(
                        LedgerEntryReader.completedExecutions(change.after()),
                        LedgerEntryReader.holderUid(change.before()))
                || isDeleted(uid, change.revision());
        if (failures < before.path("consecutiveFailures").asInt() && !mayGo) {
            addViolation(change, uid, "was counted as a failure, and the count fell to " + failures);
        }
        boolean same = after.path("last").path("uid").asText().equals(uid);
        if (same && !after.path("nextAllowedExecution").equals(before.path("nextAllowedExecution"))) {
            addViolation(change, uid, "has set a deadline, and it was drawn again");
        }
    }

    static boolean isClearance(EtcdChange change) {
        JsonNode after = LedgerEntryReader.clearance(change.after());
        return !after.isMissingNode() && !after.equals(LedgerEntryReader.clearance(change.before()));
    }

    private boolean isDeleted(String uid, long revision) {
        return history.execution(uid, revision).isMissingNode();
    }

    private static boolean containsUid(List<JsonNode> pasts, String uid) {
        return pasts.stream().anyMatch(past -> past.path("uid").asText().equals(uid));
    }

    private void addViolation(EtcdChange change, String uid, String what) {
        violations.add("%s: %s %s, at revision %d"
                .formatted(
                        LedgerEntryReader.target(change.object()),
                        RunStartCheck.executionName(history, uid),
                        what,
                        change.revision()));
    }
}
