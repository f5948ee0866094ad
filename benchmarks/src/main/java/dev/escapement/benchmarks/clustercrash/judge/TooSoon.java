package dev.escapement.benchmarks.clustercrash.judge;

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
final class TooSoon {

    private final Evidence evidence;
    private final History history;
    private final List<String> found = new ArrayList<>();

    private TooSoon(Evidence evidence) {
        this.evidence = evidence;
        this.history = evidence.history();
    }

    static List<String> in(Evidence evidence) {
        TooSoon search = new TooSoon(evidence);
        search.history
                .entries()
                .forEach((name, life) -> life.stream().filter(Holders::isTaken).forEach(search::byTheLedger));
        search.history.lives(Kind.EXECUTION).forEach(search::byTheFailure);
        return search.found;
    }

    private void byTheLedger(Change change) {
        JsonNode holder = Entries.holder(change.after());
        Instant taken = Instant.parse(holder.path("startedAt").asText());
        String title = "%s/%s took %s"
                .formatted(
                        holder.path("namespace").asText(),
                        holder.path("name").asText(),
                        Entries.target(change.after()));
        Entries.blocks(change.after())
                .forEach(block -> found.add(title + ", which "
                        + block.path("name").asText() + " had broken, at revision " + change.revision()));
        if (Entries.retry(change.after()).path("consecutiveFailures").asInt() >= evidence.mostFailures()) {
            found.add(title + " after too many failures, at revision " + change.revision());
        }
        Entries.nextAllowed(change.after())
                .filter(taken::isBefore)
                .ifPresent(allowed ->
                        found.add("%s at %s, and it was not allowed before %s".formatted(title, taken, allowed)));
        for (JsonNode past : Entries.completed(change.after())) {
            Instant over = Instant.parse(past.path("completedAt").asText()).plus(evidence.cooldown());
            if (past.path("workflowId").equals(holder.path("workflowId")) && taken.isBefore(over)) {
                found.add("%s at %s, and its cooldown lasted until %s".formatted(title, taken, over));
            }
        }
    }

    /** After a failure: nothing on that target before its time, unless a person cleared it or deleted what failed. */
    private void byTheFailure(String uid, List<Change> life) {
        Optional<Change> failure = life.stream()
                .filter(change -> Phases.phase(change.after()).equals("Failed"))
                .findFirst();
        Optional<Target> target = Target.tryParse(
                life.get(0).object().path("spec").path("targetResource").asText());
        if (failure.isEmpty() || target.isEmpty()) {
            return;
        }
        JsonNode status = failure.get().after().path("status");
        boolean during =
                status.path("failureDetails").path("wasExecutionFailure").asBoolean();
        Optional<Instant> allowed = Entries.time(status.path("nextAllowedExecution"));
        for (Change change : history.entries().getOrDefault(target.get().objectName(), List.of())) {
            if (change.revision() <= failure.get().revision()) {
                continue;
            }
            if (isReset(change, uid)) {
                return;
            }
            if (Holders.isTaken(change) && !Entries.holderUid(change.after()).equals(uid)) {
                judge(change, uid, during, allowed);
            }
        }
    }

    private void judge(Change change, String uid, boolean during, Optional<Instant> allowed) {
        Instant taken =
                Instant.parse(Entries.holder(change.after()).path("startedAt").asText());
        if (during || allowed.filter(taken::isBefore).isPresent()) {
            found.add("%s failed and said %s, and %s took the target at %s"
                    .formatted(
                            Starts.name(history, uid),
                            during ? "that a person must look" : "not before " + allowed.orElseThrow(),
                            Starts.name(history, Entries.holderUid(change.after())),
                            taken));
        }
    }

    private boolean isReset(Change change, String uid) {
        boolean deleted = history.execution(uid, change.revision()).isMissingNode();
        boolean success = Entries.completed(change.after()).stream()
                .anyMatch(past -> past.path("uid").asText().equals(Entries.holderUid(change.before())));
        return deleted
                || Memories.isCleared(change)
                || (success
                        && Entries.retry(change.after()).isMissingNode()
                        && Entries.blocks(change.after()).isEmpty());
    }
}
