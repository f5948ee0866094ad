package dev.escapement.engine.mapping;

import static java.util.Objects.requireNonNull;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.target.RemediationTargetStatus;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a list says of a target, under the policy and at the time of asking: the most pressing of what is true.
 *
 * @param name one of {@code Held}, {@code Blocked}, {@code Exhausted}, {@code BackingOff}, {@code CoolingDown},
 *     {@code Free}
 * @param until when it ends by itself, if it does
 */
public record TargetState(String name, Optional<Instant> until) {

    /**
     * Returns the state of an entry. Of the failed starts the target's own series counts, whatever the failure scope
     * is; of invalid requests, which hold back only their workflow, the longest counts.
     */
    public static TargetState of(LedgerEntry entry, Policy policy, Instant now) {
        TargetMemory memory = entry.memory();
        if (entry instanceof LedgerEntry.Held) {
            return new TargetState("Held", Optional.empty());
        } else if (hasBlock(entry)) {
            return new TargetState("Blocked", Optional.empty());
        }
        if (series(memory).anyMatch(series -> series.failures() >= policy.maxConsecutiveFailures())) {
            return new TargetState("Exhausted", Optional.empty());
        }
        Optional<Instant> backoff = series(memory)
                .flatMap(series -> series.nextAllowed().stream())
                .filter(now::isBefore)
                .max(Instant::compareTo);
        return backoff.isPresent() ? new TargetState("BackingOff", backoff) : cooling(memory, policy, now);
    }

    /** Returns the failed starts of the target, and the invalid requests of each workflow. */
    private static Stream<FailureStreak> series(TargetMemory memory) {
        return Stream.concat(
                memory.failureStreak().stream(),
                memory.workflows().values().stream().flatMap(workflow -> workflow.invalidRequests().stream()));
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

    /** Returns the state that is stored with an entry, which does not depend on the policy and the time. */
    static String ofStored(LedgerEntry entry) {
        if (entry instanceof LedgerEntry.Held) {
            return "Held";
        } else if (hasBlock(entry)) {
            return "Blocked";
        }
        return entry.memory().hasFailures() ? "BackingOff" : "Free";
    }

    private static boolean hasBlock(LedgerEntry entry) {
        return entry.memory().workflows().values().stream()
                .anyMatch(workflow -> workflow.block().isPresent());
    }

    /** Returns the status of the target with this state. */
    public RemediationTargetStatus addTo(RemediationTargetStatus status) {
        return status.withState(name, FieldParser.orNull(until));
    }

    /** Returns whether a status has this state. Without an end in the status its end is not compared. */
    public boolean isIn(RemediationTargetStatus status) {
        return name.equals(status.state())
                && (status.until() == null || status.until().equals(FieldParser.orNull(until)));
    }

    /** Returns the document of the target with this state in its status. */
    public RemediationTarget addTo(RemediationTarget document) {
        RemediationTargetStatus status = addTo(requireNonNull(document.status(), "status is null"));
        return new RemediationTarget(
                document.apiVersion(), document.kind(), document.metadata(), document.spec(), status, document.other());
    }
}
