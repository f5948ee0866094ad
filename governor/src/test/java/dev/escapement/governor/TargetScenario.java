package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Drives the entry of a target step by step as the engine does: decide, acquire, release. */
public final class TargetScenario {

    public static final Target TARGET = Target.parse("node/worker-node-1");
    public static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private Policy policy;
    private LedgerEntry entry = LedgerEntry.initial(TARGET);
    private Instant now = START;
    private int executions;

    public TargetScenario(Policy policy) {
        this.policy = policy;
    }

    public TargetScenario() {
        this(Policy.DEFAULT);
    }

    public LedgerEntry entry() {
        return entry;
    }

    public Instant now() {
        return now;
    }

    public TargetScenario withPolicy(Policy changed) {
        policy = changed;
        return this;
    }

    public TargetScenario advance(Duration time) {
        now = now.plus(time);
        return this;
    }

    public TargetScenario advanceTo(Instant instant) {
        assertThat(instant).isAfterOrEqualTo(now);
        now = instant;
        return this;
    }

    public static GateRequest request(String workflow, int number) {
        return new GateRequest(new ExecutionRef("ops", workflow + "-" + number, "uid-" + number), workflow, TARGET);
    }

    public GateDecision decide(String workflow) {
        return Gate.decide(request(workflow, ++executions), entry, policy, now);
    }

    /** Requires that an execution is skipped; a skip does not change the entry. */
    public GateDecision.Skip assertSkipped(String workflow, SkipReason reason) {
        GateDecision decision = decide(workflow);
        assertThat(decision).isInstanceOf(GateDecision.Skip.class);
        GateDecision.Skip skip = (GateDecision.Skip) decision;
        assertThat(skip.reason()).isEqualTo(reason);
        return skip;
    }

    public LedgerEntry.Held assertAdmitted(String workflow) {
        GateDecision decision = decide(workflow);
        assertThat(decision)
                .describedAs(() -> decision instanceof GateDecision.Skip skip ? skip.message() : "")
                .isInstanceOf(GateDecision.Admit.class);
        LedgerEntry.Held held = ((GateDecision.Admit) decision).acquire("run-" + executions, "run-" + executions);
        entry = held;
        return held;
    }

    public TargetScenario complete(String workflow) {
        entry = assertAdmitted(workflow).release(new ExecutionOutcome.Completed(), now);
        return this;
    }

    /** Returns the deadline that was drawn, or now if the limit is reached. */
    public Instant failBeforeExecution(String workflow) {
        LedgerEntry.Held held = assertAdmitted(workflow);
        ExecutionOutcome.FailedBeforeExecution outcome = held.failedStartOutcome("ImagePullBackOff", now, policy);
        entry = held.release(outcome, now);
        return outcome.nextAllowed().orElse(now);
    }

    /** Counts an invalid request, whatever state the target is in. */
    public ExecutionOutcome.FailedBeforeExecution failValidation(String workflow) {
        ExecutionRef execution = request(workflow, ++executions).execution();
        entry = entry.recordInvalidRequest(execution, workflow, "ValidationError", now, policy);
        return entry.invalidRequestOutcome(execution, workflow).orElseThrow();
    }

    public TargetScenario failDuringExecution(String workflow) {
        entry = assertAdmitted(workflow).release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), now);
        return this;
    }

    public TargetScenario lose(String workflow) {
        entry = assertAdmitted(workflow).release(new ExecutionOutcome.Lost(), now);
        return this;
    }

    public TargetScenario forget(int number) {
        entry = entry.forget(new ExecutionRef("ops", "whatever", "uid-" + number), policy);
        return this;
    }

    public TargetScenario clear() {
        Optional<LedgerEntry> cleared = entry.clear(new Clearance("anna", "looked at it", now));
        assertThat(cleared).isPresent();
        entry = cleared.get();
        return this;
    }

    public TargetScenario expire() {
        entry = entry.expire(policy, now);
        return this;
    }
}
