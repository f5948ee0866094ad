package dev.escapement.engine.contract;

import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.testkit.Generator;
import java.time.Instant;

/** Generates ledger entries after random transitions. */
public final class LedgerEntryGenerator {

    private LedgerEntryGenerator() {}

    /**
     * Generates a held entry, which a store has to keep.
     *
     * @param number makes the target unique
     */
    public static LedgerEntry generate(Generator gen, int number) {
        Target target = Target.parse(gen.oneOf("node/n", "shop/deployment/d.e-", "ns/pod/p") + number);
        LedgerEntry entry = LedgerEntry.initial(target);
        Instant now = ExecutionSamples.NOW;
        for (int i = gen.length(0, 12); i > 0; i--) {
            now = now.plusNanos(gen.magnitude(10_000_000_000_000L));
            entry = randomTransition(gen, entry, i, now);
        }
        return entry instanceof Free free ? acquire(gen, free, 0, now) : entry;
    }

    private static LedgerEntry randomTransition(Generator gen, LedgerEntry entry, int step, Instant now) {
        if (gen.oneIn(8)) {
            String reason = "because " + gen.text(40);
            return entry.clear(new Clearance("anna", reason, now)).orElse(entry);
        }
        if (gen.oneIn(6)) {
            ExecutionRef invalid = new ExecutionRef("ops", "invalid-" + step, "uid-invalid-" + step);
            return entry.recordInvalidRequest(invalid, "repair", "ValidationError", now, Policy.DEFAULT);
        }
        return entry instanceof Held held
                ? held.release(outcome(gen, held, now), now)
                : acquire(gen, (Free) entry, step, now);
    }

    private static Held acquire(Generator gen, Free free, int step, Instant now) {
        ExecutionRef ref = new ExecutionRef(gen.oneOf("", "ops"), "e" + step, "uid-" + step);
        boolean refused = gen.oneIn(5);
        return free.acquire(new Holder(
                ref,
                gen.oneOf("repair", "clean \"disk\""),
                refused ? "" : "run-" + step,
                refused ? "" : "server/run-" + step,
                now));
    }

    private static ExecutionOutcome outcome(Generator gen, Held held, Instant now) {
        return switch (gen.between(0, 4)) {
            case 0 -> new ExecutionOutcome.Completed();
            case 1 -> held.failedStartOutcome("ImagePullBackOff", now, Policy.DEFAULT);
            case 2 -> new ExecutionOutcome.FailedDuringExecution("TaskFailed");
            case 3 -> new ExecutionOutcome.Lost();
            default -> new ExecutionOutcome.Withdrawn();
        };
    }
}
