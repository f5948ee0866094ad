package dev.escapement.engine.document;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a list says of a target, under the policy and at the time of asking: the most pressing of what is true.
 *
 * @param name one of {@code Held}, {@code Blocked}, {@code Exhausted}, {@code BackingOff}, {@code CoolingDown},
 *     {@code Free}
 * @param until when it ends by itself, if it does
 */
public record TargetState(String name, Optional<Instant> until) {

    /** The state of an entry. Of several failure series the target's own counts, whatever the failure scope is. */
    public static TargetState of(LedgerEntry entry, Policy policy, Instant now) {
        TargetMemory memory = entry.memory();
        if (entry instanceof LedgerEntry.Held) {
            return new TargetState("Held", Optional.empty());
        } else if (memory.workflows().values().stream()
                .anyMatch(workflow -> workflow.block().isPresent())) {
            return new TargetState("Blocked", Optional.empty());
        }
        Optional<FailureStreak> retry = memory.failureStreak();
        if (retry.filter(series -> series.failures() >= policy.maxConsecutiveFailures())
                .isPresent()) {
            return new TargetState("Exhausted", Optional.empty());
        }
        Optional<Instant> backoff = retry.map(FailureStreak::nextAllowed).filter(now::isBefore);
        return backoff.isPresent() ? new TargetState("BackingOff", backoff) : cooling(memory, policy, now);
    }

    private static TargetState cooling(TargetMemory memory, Policy policy, Instant now) {
        Optional<Instant> until = memory.workflows().values().stream()
                .map(WorkflowMemory::lastCompleted)
                .flatMap(Optional::stream)
                .map(past -> past.endedAt().plus(policy.cooldown()))
                .filter(now::isBefore)
                .max(Instant::compareTo);
        return new TargetState(until.isPresent() ? "CoolingDown" : "Free", until);
    }

    /** The document of the target with this state in its status. */
    public Map<String, Object> addTo(Map<String, Object> document) {
        Map<String, Object> changed = new LinkedHashMap<>(document);
        DocumentTree status = new DocumentTree().put("state", name).put("until", until);
        if (document.get("status") instanceof Map<?, ?> rest) {
            rest.forEach((key, value) -> {
                if (!key.equals("state")) {
                    status.put(String.valueOf(key), value);
                }
            });
        }
        changed.put("status", status.fields());
        return changed;
    }
}
