package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What stood in the way when a target was taken. Judged twice: by the ledger, and by what the executions say
 * themselves.
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
        LedgerEarlyStartCheck search = new LedgerEarlyStartCheck(evidence);
        search.history
                .entries()
                .forEach((name, life) ->
                        life.stream().filter(HolderCheck::isAcquisition).forEach(search::checkByLedger));
        search.history.changesByUid(EtcdObjectKind.EXECUTION).forEach(search::checkByFailure);
        return search.violations;
    }

    private void checkByLedger(EtcdChange change) {
        JsonNode holder = LedgerEntryReader.holder(change.after());
        Instant taken = Instant.parse(holder.path("startedAt").asText());
        String title = "%s/%s took %s"
                .formatted(
                        holder.path("namespace").asText(),
                        holder.path("name").asText(),
                        LedgerEntryReader.target(change.after()));
        LedgerEntryReader.blocks(change.after())
                .forEach(block -> violations.add(title + ", which "
                        + block.path("name").asText() + " had broken, at revision " + change.revision()));
        if (LedgerEntryReader.failureStreak(change.after())
                        .path("consecutiveFailures")
                        .asInt()
                >= evidence.maxFailures()) {
            violations.add(title + " after too many failures, at revision " + change.revision());
        }
        LedgerEntryReader.nextAllowed(change.after())
                .filter(taken::isBefore)
                .ifPresent(allowed ->
                        violations.add("%s at %s, and it was not allowed before %s".formatted(title, taken, allowed)));
        for (JsonNode past : LedgerEntryReader.completedExecutions(change.after())) {
            Instant over = Instant.parse(past.path("completedAt").asText()).plus(evidence.cooldown());
            if (past.path("workflowId").equals(holder.path("workflowId")) && taken.isBefore(over)) {
                violations.add("%s at %s, and its cooldown lasted until %s".formatted(title, taken, over));
            }
        }
    }

    /** After a failure: nothing on that target before its time, unless a person cleared it or deleted what failed. */
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
        Optional<Instant> allowed = LedgerEntryReader.parseTime(status.path("nextAllowedExecution"));
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
        Instant taken = Instant.parse(
                LedgerEntryReader.holder(change.after()).path("startedAt").asText());
        if (during || allowed.filter(taken::isBefore).isPresent()) {
            violations.add("%s failed and said %s, and %s took the target at %s"
                    .formatted(
                            RunStartCheck.executionName(history, uid),
                            during ? "that a person must look" : "not before " + allowed.orElseThrow(),
                            RunStartCheck.executionName(history, LedgerEntryReader.holderUid(change.after())),
                            taken));
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
