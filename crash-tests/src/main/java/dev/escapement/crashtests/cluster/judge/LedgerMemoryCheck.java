package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the ledger stores the outcome of every execution when its target is released, and removes it only after a
 * clearance, a success or a deletion.
 */
final class LedgerMemoryCheck {

    private final EtcdHistory history;
    private final List<String> violations = new ArrayList<>();

    private LedgerMemoryCheck(EtcdHistory history) {
        this.history = history;
    }

    static List<String> check(EtcdHistory history) {
        LedgerMemoryCheck check = new LedgerMemoryCheck(history);
        history.entries().values().forEach(life -> life.forEach(check::checkChange));
        return check.violations;
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
        boolean started = history.runsOf(uid).stream()
                .anyMatch(run -> run.startedRevision() <= change.revision() && !run.withdrawn());
        if (execution.isMissingNode()) {
            boolean ended = PhaseCheck.isFinal(history.lastKnown(uid, change.revision()));
            if (started && !ended && !LedgerEntryReader.contains(change.after(), uid)) {
                addViolation(change, uid, "had started and was deleted, but the ledger does not contain it");
            }
            return;
        }
        JsonNode status = execution.path("status");
        switch (PhaseCheck.phase(execution)) {
            case "Completed" -> {
                if (!containsUid(LedgerEntryReader.completedExecutions(change.after()), uid)
                        && !endsRequestedDeletion(change)) {
                    addViolation(change, uid, "completed, but the ledger does not contain it");
                }
            }
            case "Failed" -> checkFailure(change, uid, status);
            default -> {
                if (started) {
                    addViolation(change, uid, "had started but is " + PhaseCheck.phase(execution));
                }
            }
        }
    }

    /** A person has deleted the entry, and the release lets it go: that ends a cooldown, but never a block. */
    private static boolean endsRequestedDeletion(EtcdChange change) {
        return change.isDeletion() && change.before().path("metadata").has("deletionTimestamp");
    }

    private void checkFailure(EtcdChange change, String uid, JsonNode status) {
        if (status.path("failureDetails").path("wasExecutionFailure").asBoolean()) {
            if (!containsUid(LedgerEntryReader.blocks(change.after()), uid)) {
                addViolation(change, uid, "failed during execution, but the target is not blocked");
            }
            return;
        }
        Optional<Instant> stated = LedgerEntryReader.parseTime(status.path("nextAllowedExecution"));
        if (stated.isEmpty() || isClearedAfter(change.after(), status)) {
            return;
        }
        boolean counted = LedgerEntryReader.failureStreak(change.after())
                .path("last")
                .path("uid")
                .asText()
                .equals(uid);
        Optional<Instant> stored = LedgerEntryReader.nextAllowed(change.after());
        if (!counted || stored.isEmpty() || stored.get().isBefore(stated.get())) {
            addViolation(
                    change,
                    uid,
                    "could not start, its status says not before %s, but the ledger says %s"
                            .formatted(
                                    stated.get(), stored.map(Instant::toString).orElse("nothing")));
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
            boolean mayBeRemoved = isClearance(change)
                    || (!block.path("executionDeleted").asBoolean() && isDeleted(uid, change.revision()));
            if (!containsUid(LedgerEntryReader.blocks(change.after()), uid) && !mayBeRemoved) {
                addViolation(change, uid, "had blocked it, but the block was removed without a clearance");
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
        boolean mayBeRemoved = isClearance(change)
                || containsUid(
                        LedgerEntryReader.completedExecutions(change.after()),
                        LedgerEntryReader.holderUid(change.before()))
                || isDeleted(uid, change.revision());
        if (failures < before.path("consecutiveFailures").asInt() && !mayBeRemoved) {
            addViolation(change, uid, "was counted as a failure, but the count decreased to " + failures);
        }
        boolean same = after.path("last").path("uid").asText().equals(uid);
        if (same && !after.path("nextAllowedExecution").equals(before.path("nextAllowedExecution"))) {
            addViolation(change, uid, "has set a deadline, but the deadline was changed");
        }
    }

    static boolean isClearance(EtcdChange change) {
        JsonNode after = LedgerEntryReader.clearance(change.after());
        return !after.isMissingNode() && !after.equals(LedgerEntryReader.clearance(change.before()));
    }

    private boolean isDeleted(String uid, long revision) {
        return history.execution(uid, revision).isMissingNode();
    }

    private static boolean containsUid(List<JsonNode> executions, String uid) {
        return executions.stream().anyMatch(past -> past.path("uid").asText().equals(uid));
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
