package dev.escapement.governor.example;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Decides whether a workflow may run on a target, runs it, and remembers how it ended. */
public final class GateExample {

    private static final Policy POLICY = Policy.DEFAULT
            .withCooldown(Duration.ofMinutes(10))
            .withBackoff(Backoff.conservative())
            .withMaxConsecutiveFailures(3);

    private final Map<Target, LedgerEntry> ledger = new ConcurrentHashMap<>();

    /** Runs the work if the gate admits it. Returns what happened, for a person. */
    public String runOnce(String id, String workflow, String targetText, Runnable work, Instant now) {
        Target target = Target.parse(targetText);
        LedgerEntry entry = ledger.getOrDefault(target, LedgerEntry.initial(target));
        GateRequest request = new GateRequest(new ExecutionRef("", id, id), workflow, target);
        GateDecision decision = Gate.decide(request, entry, POLICY, now);
        if (decision instanceof GateDecision.Skip skip) {
            return skip.reason() + ": " + skip.message();
        }
        // The entry that the gate has seen is replaced, or somebody else was faster: then decide again.
        LedgerEntry.Held held = ((GateDecision.Admit) decision).acquire("run-" + id, "run-" + id);
        if (!compareAndSet(target, entry, held)) {
            return "conflict: decide again";
        }
        ExecutionOutcome outcome = run(held, work, now);
        compareAndSet(target, held, held.release(outcome, now));
        return outcome.toString();
    }

    private static ExecutionOutcome run(LedgerEntry.Held held, Runnable work, Instant now) {
        try {
            work.run();
            return new ExecutionOutcome.Completed();
        } catch (IllegalStateException neverStarted) {
            // It certainly changed nothing: it counts, and backs off.
            return held.failedStartOutcome("CannotStart", now, POLICY);
        } catch (RuntimeException failed) {
            // It may have changed something: only a person can tell, so the target is blocked until it is cleared.
            return new ExecutionOutcome.FailedDuringExecution("Failed");
        }
    }

    private boolean compareAndSet(Target target, LedgerEntry expected, LedgerEntry updated) {
        return ledger.containsKey(target)
                ? ledger.replace(target, expected, updated)
                : Optional.ofNullable(ledger.putIfAbsent(target, updated)).isEmpty();
    }
}
