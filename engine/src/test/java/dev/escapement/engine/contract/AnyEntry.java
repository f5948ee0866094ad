package dev.escapement.engine.contract;

import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.testkit.Gen;
import java.time.Instant;

/** A ledger entry after any life. */
public final class AnyEntry {

    private AnyEntry() {}

    /** The number makes the target its own. It is held in the end, so that a store has to keep it. */
    public static LedgerEntry of(Gen gen, int number) {
        Target target = Target.parse(gen.oneOf("node/n", "shop/deployment/d.e-", "ns/pod/p") + number);
        LedgerEntry entry = LedgerEntry.fresh(target);
        Instant now = Samples.NOW;
        for (int i = gen.length(0, 12); i > 0; i--) {
            now = now.plusNanos(gen.magnitude(10_000_000_000_000L));
            entry = step(gen, entry, i, now);
        }
        return entry instanceof Free free ? acquire(gen, free, 0, now) : entry;
    }

    private static LedgerEntry step(Gen gen, LedgerEntry entry, int step, Instant now) {
        if (gen.once(8)) {
            String reason = "because " + gen.text(40);
            return entry.clear(new Clearance("anna", reason, now)).orElse(entry);
        }
        return entry instanceof Held held
                ? held.release(outcome(gen, held, now), now)
                : acquire(gen, (Free) entry, step, now);
    }

    private static Held acquire(Gen gen, Free free, int step, Instant now) {
        ExecutionRef ref = new ExecutionRef(gen.oneOf("", "ops"), "e" + step, "uid-" + step);
        boolean refused = gen.once(5);
        return free.acquire(new Holder(
                ref,
                gen.oneOf("repair", "clean \"disk\""),
                refused ? "" : "run-" + step,
                refused ? "" : "server/run-" + step,
                now));
    }

    private static Outcome outcome(Gen gen, Held held, Instant now) {
        return switch (gen.between(0, 4)) {
            case 0 -> new Outcome.Completed();
            case 1 -> held.couldNotStart("ImagePullBackOff", now, Policy.DEFAULT);
            case 2 -> new Outcome.FailedDuringExecution("TaskFailed");
            case 3 -> new Outcome.Lost();
            default -> new Outcome.Withdrawn();
        };
    }
}
