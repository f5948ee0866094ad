package dev.escapement.benchmarks.governor;

import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ledger whose entries are changed only by the transitions that the engine uses, and a list of all executions, for
 * the comparison.
 */
final class LedgerSimulation {

    static final Policy POLICY = Policy.DEFAULT;

    /** The same capacity for every history: in a small map more targets would share a bucket. */
    private final Map<Target, LedgerEntry> ledger = new HashMap<>(4 * HistoryGenerator.TARGETS);

    private final Map<Target, Instant> clearances = new HashMap<>();
    private final List<ListedExecution> executions = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private int requests;

    /** An execution that holds its target, and its index in the list. */
    record RunningExecution(LedgerEntry.Held held, int number) {}

    Instant now() {
        return now;
    }

    /** Returns the executions in the order of their admission. */
    List<ListedExecution> executions() {
        return executions;
    }

    /** Returns the last clearance of each target. */
    Map<Target, Instant> clearances() {
        return clearances;
    }

    /** Returns the entries that are held or have a memory. */
    Collection<LedgerEntry> entries() {
        return ledger.values();
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    void advanceTo(Instant later) {
        now = later;
    }

    LedgerEntry entry(Target target) {
        LedgerEntry entry = ledger.get(target);
        return entry == null ? LedgerEntry.initial(target) : entry;
    }

    /** Returns a request with a new uid. */
    GateRequest newRequest(String workflow, Target target) {
        String uid = "0d9c6a1e-" + ++requests;
        return new GateRequest(new ExecutionRef("ops", workflow + "-" + requests, uid), workflow, target);
    }

    GateInput gateInput(GateRequest request) {
        return new GateInput(request, entry(request.target()), POLICY, now);
    }

    GateDecision decideRequest(GateRequest request) {
        return Gate.decide(request, entry(request.target()), POLICY, now);
    }

    static GateDecision decide(GateInput input) {
        return Gate.decide(input.request(), input.entry(), input.policy(), input.now());
    }

    /** Returns the check that refused, if one did. */
    static Optional<GateCheck> failedCheck(GateDecision decision) {
        return decision instanceof GateDecision.Skip skip ? Optional.of(skip.check()) : Optional.empty();
    }

    /** Starts an execution that the gate must admit. */
    RunningExecution start(GateRequest request) {
        if (decideRequest(request) instanceof GateDecision.Skip skip) {
            throw new IllegalStateException(skip.message());
        }
        Holder holder = new Holder(request.execution(), request.workflow(), "run-" + requests, "run-" + requests, now);
        LedgerEntry.Held held = ((LedgerEntry.Free) entry(request.target())).acquire(holder);
        ledger.put(request.target(), held);
        executions.add(new ListedExecution(request, Optional.empty()));
        return new RunningExecution(held, executions.size() - 1);
    }

    void finish(RunningExecution running, ExecutionOutcome outcome) {
        LedgerEntry.Held held = running.held();
        ledger.put(held.target(), held.release(outcome, now));
        executions.set(running.number(), executions.get(running.number()).withEnd(outcome, now));
    }

    ExecutionOutcome.FailedBeforeExecution startFailure(RunningExecution running) {
        return running.held().failedStartOutcome("ImagePullBackOff", now, POLICY);
    }

    void clear(Target target) {
        entry(target).clear(new Clearance("anna", "checked it", now)).ifPresent(cleared -> {
            ledger.put(target, cleared);
            clearances.put(target, now);
        });
    }

    /** Expires memory, and removes idle entries. */
    void removeExpired() {
        ledger.replaceAll((target, entry) -> entry.expire(POLICY, now));
        ledger.values().removeIf(entry -> entry.isIdle(now));
    }
}
