package dev.escapement.kubernetes.ledger;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Computes when an entry can be removed. */
public final class IdleDeadline {

    private IdleDeadline() {}

    /** Returns the time at which the entry becomes idle; empty if that does not depend on time alone. */
    public static Optional<Instant> of(LedgerEntry entry, Policy policy) {
        Instant epochIsPast = Instant.ofEpochMilli(entry.epoch())
                .plus(LedgerEntry.MAX_CLOCK_SKEW)
                .plusMillis(1);
        Stream<Instant> cooldowns = entry.memory().workflows().values().stream()
                .flatMap(memory -> memory.lastCompleted().stream())
                .map(EndedExecution::endedAt)
                .map(at -> at.plus(policy.cooldown()));
        Stream<Instant> clearance =
                entry.clearance().stream().map(Clearance::at).map(at -> at.plus(policy.cooldown()));
        return Stream.concat(Stream.of(epochIsPast), Stream.concat(cooldowns, clearance))
                .max(Instant::compareTo)
                .filter(at -> entry.expire(policy, at).isIdle(at));
    }
}
