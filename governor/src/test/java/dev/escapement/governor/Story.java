package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.Request;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One target's life, told step by step, the way the engine would drive it: decide, acquire, release. */
public final class Story {

    public static final Target TARGET = Target.parse("node/worker-node-1");
    public static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private Policy policy;
    private LedgerEntry entry = LedgerEntry.fresh(TARGET);
    private Instant now = START;
    private int executions;

    public Story(Policy policy) {
        this.policy = policy;
    }

    public Story() {
        this(Policy.DEFAULT);
    }

    public LedgerEntry entry() {
        return entry;
    }

    public Instant now() {
        return now;
    }

    public Story under(Policy changed) {
        policy = changed;
        return this;
    }

    public Story wait(Duration time) {
        now = now.plus(time);
        return this;
    }

    public Story waitUntil(Instant instant) {
        assertThat(instant).isAfterOrEqualTo(now);
        now = instant;
        return this;
    }

    public static Request request(String workflow, int number) {
        return new Request(new ExecutionRef("ops", workflow + "-" + number, "uid-" + number), workflow, TARGET);
    }

    public Decision ask(String workflow) {
        return Gate.decide(request(workflow, ++executions), entry, policy, now);
    }

    /** An execution that is skipped; the entry stays what it was, because there is no transition for a skip. */
    public Decision.Skip skipped(String workflow, SkipReason reason) {
        Decision decision = ask(workflow);
        assertThat(decision).isInstanceOf(Decision.Skip.class);
        Decision.Skip skip = (Decision.Skip) decision;
        assertThat(skip.reason()).isEqualTo(reason);
        return skip;
    }

    public LedgerEntry.Held admitted(String workflow) {
        Decision decision = ask(workflow);
        assertThat(decision)
                .describedAs(() -> decision instanceof Decision.Skip skip ? skip.message() : "")
                .isInstanceOf(Decision.Admit.class);
        Request request = decision.question().request();
        LedgerEntry.Held held = ((LedgerEntry.Free) entry)
                .acquire(new Holder(request.execution(), workflow, "run-" + executions, "run-" + executions, now));
        entry = held;
        return held;
    }

    public Story completes(String workflow) {
        entry = admitted(workflow).release(new Outcome.Completed(), now);
        return this;
    }

    /** Returns the deadline that was drawn. */
    public Instant failsBefore(String workflow) {
        LedgerEntry.Held held = admitted(workflow);
        Outcome.FailedBeforeExecution outcome = held.couldNotStart("ImagePullBackOff", now, policy);
        entry = held.release(outcome, now);
        return outcome.nextAllowed();
    }

    public Story failsDuring(String workflow) {
        entry = admitted(workflow).release(new Outcome.FailedDuringExecution("TaskFailed"), now);
        return this;
    }

    public Story lost(String workflow) {
        entry = admitted(workflow).release(new Outcome.Lost(), now);
        return this;
    }

    public Story deleted(int number) {
        entry = entry.forget(new ExecutionRef("ops", "whatever", "uid-" + number), policy);
        return this;
    }

    public Story cleared() {
        Optional<LedgerEntry> cleared = entry.clear(new Clearance("anna", "looked at it", now));
        assertThat(cleared).isPresent();
        entry = cleared.get();
        return this;
    }

    public Story expired() {
        entry = entry.expire(policy, now);
        return this;
    }
}
