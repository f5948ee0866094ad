package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds acquisitions of a target that was blocked, backing off or cooling down. Checked twice: by the ledger, and by
 * the status of the executions.
 */
final class LedgerEarlyStartCheck {

    private final ClusterEvidence evidence;
    private final EtcdHistory history;
    private final List<String> violations = new ArrayList<>();

    private LedgerEarlyStartCheck(ClusterEvidence evidence) {
        this.evidence = evidence;
        this.history = evidence.history();
    }

    static List<String> check(ClusterEvidence evidence) {
        LedgerEarlyStartCheck check = new LedgerEarlyStartCheck(evidence);
        check.history
                .entries()
                .forEach((name, life) ->
                        life.stream().filter(HolderCheck::isAcquisition).forEach(check::checkByLedger));
        check.history.changesByUid(EtcdObjectKind.EXECUTION).forEach(check::checkByFailure);
        return check.violations;
    }

    private void checkByLedger(EtcdChange change) {
        JsonNode holder = LedgerEntryReader.holder(change.after());
        Instant acquired = Instant.parse(holder.path("startedAt").asText());
        String title = "%s/%s acquired %s"
                .formatted(
                        holder.path("namespace").asText(),
                        holder.path("name").asText(),
                        LedgerEntryReader.target(change.after()));
        LedgerEntryReader.blocks(change.after())
                .forEach(block -> violations.add(title + ", which "
                        + block.path("name").asText() + " had blocked, at revision " + change.revision()));
        if (LedgerEntryReader.failureStreak(change.after())
                        .path("consecutiveFailures")
                        .asInt()
                >= evidence.maxFailures()) {
            violations.add(title + " after too many failures, at revision " + change.revision());
        }
        LedgerEntryReader.nextAllowed(change.after())
                .filter(acquired::isBefore)
                .ifPresent(allowed ->
                        violations.add("%s at %s, before its backoff ended at %s".formatted(title, acquired, allowed)));
        for (JsonNode past : LedgerEntryReader.completedExecutions(change.after())) {
            Instant cooledDown =
                    Instant.parse(past.path("completedAt").asText()).plus(evidence.cooldown());
            if (past.path("workflowId").equals(holder.path("workflowId")) && acquired.isBefore(cooledDown)) {
                violations.add("%s at %s, before its cooldown ended at %s".formatted(title, acquired, cooledDown));
            }
        }
    }

    /**
     * Finds acquisitions after a failure that are too early, unless the target was cleared or the execution deleted.
     */
    private void checkByFailure(String uid, List<EtcdChange> life) {
        Optional<EtcdChange> failure = life.stream()
                .filter(change -> PhaseCheck.phase(change.after()).equals("Failed"))
                .findFirst();
        Optional<Target> target = Target.tryParse(
                life.get(0).object().path("spec").path("targetResource").asText());
        if (failure.isEmpty() || target.isEmpty()) {
            return;
        }
        JsonNode status = failure.get().after().path("status");
        boolean during =
                status.path("failureDetails").path("wasExecutionFailure").asBoolean();
        // An invalid request holds back only its own workflow.
        boolean invalid = status.path("failureDetails").path("reason").asText().equals("ValidationError");
        Optional<Instant> allowed =
                LedgerEntryReader.parseTime(status.path("nextAllowedExecution")).filter(deadline -> !invalid);
        for (EtcdChange change : history.entries().getOrDefault(target.get().objectName(), List.of())) {
            if (change.revision() <= failure.get().revision()) {
                continue;
            }
            if (isReset(change, uid)) {
                return;
            }
            if (HolderCheck.isAcquisition(change)
                    && !LedgerEntryReader.holderUid(change.after()).equals(uid)) {
                checkAcquisition(change, uid, during, allowed);
            }
        }
    }

    private void checkAcquisition(EtcdChange change, String uid, boolean during, Optional<Instant> allowed) {
        Instant acquired = Instant.parse(
                LedgerEntryReader.holder(change.after()).path("startedAt").asText());
        if (during || allowed.filter(acquired::isBefore).isPresent()) {
            violations.add("%s failed with %s, but %s acquired the target at %s"
                    .formatted(
                            RunStartCheck.executionName(history, uid),
                            during ? "a block" : "a backoff until " + allowed.orElseThrow(),
                            RunStartCheck.executionName(history, LedgerEntryReader.holderUid(change.after())),
                            acquired));
        }
    }

    private boolean isReset(EtcdChange change, String uid) {
        boolean deleted = history.execution(uid, change.revision()).isMissingNode();
        boolean success = LedgerEntryReader.completedExecutions(change.after()).stream()
                .anyMatch(past -> past.path("uid").asText().equals(LedgerEntryReader.holderUid(change.before())));
        return deleted
                || LedgerMemoryCheck.isClearance(change)
                || (success
                        && LedgerEntryReader.failureStreak(change.after()).isMissingNode()
                        && LedgerEntryReader.blocks(change.after()).isEmpty());
    }
}
