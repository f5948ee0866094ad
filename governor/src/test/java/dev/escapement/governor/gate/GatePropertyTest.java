package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.TargetScenario;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks invariants of the gate over random sequences of transitions. */
class GatePropertyTest {

    private static final int CASES = 1_000;

    /** Applies random transitions to a target and checks the invariants at each step. */
    private static final class RandomScenario {
        final Generator gen;
        final Policy policy;
        Instant now = TargetScenario.START;
        LedgerEntry entry = LedgerEntry.initial(TargetScenario.TARGET);
        int executions;

        RandomScenario(Generator gen) {
            this.gen = gen;
            this.policy = anyPolicy(gen);
        }

        GateRequest nextRequest() {
            return TargetScenario.request(gen.oneOf("a", "b", "c"), ++executions);
        }

        void step() {
            now = now.plusNanos(gen.magnitude(Duration.ofMinutes(20).toNanos()));
            switch (gen.between(0, 9)) {
                case 0 -> {
                    LedgerEntry expired = entry.expire(policy, now);
                    // As a store does: an idle entry is removed, and created again when it is needed.
                    entry = expired.isIdle(now) ? LedgerEntry.initial(TargetScenario.TARGET) : expired;
                }
                case 1 ->
                    entry = entry.forget(new ExecutionRef("ops", "x", "uid-" + gen.between(0, executions)), policy);
                case 2 ->
                    entry = gen.oneIn(4)
                            ? entry.clear(new Clearance("anna", "fine", now)).orElse(entry)
                            : entry;
                default -> {
                    if (entry instanceof LedgerEntry.Held held) {
                        entry = held.release(anyOutcome(held), now);
                    } else {
                        GateRequest request = nextRequest();
                        if (Gate.decide(request, entry, policy, now) instanceof GateDecision.Admit
                                && entry instanceof LedgerEntry.Free free) {
                            entry = free.acquire(
                                    new Holder(request.execution(), request.workflow(), "run", "run", now));
                        }
                    }
                }
            }
        }

        private ExecutionOutcome anyOutcome(LedgerEntry.Held held) {
            return switch (gen.between(0, 6)) {
                case 0 -> new ExecutionOutcome.FailedDuringExecution("TaskFailed");
                case 1 -> new ExecutionOutcome.Lost();
                case 2 -> new ExecutionOutcome.Completed();
                case 3 -> new ExecutionOutcome.Withdrawn();
                default -> held.failedStartOutcome("Forbidden", now, policy);
            };
        }
    }

    private static Policy anyPolicy(Generator gen) {
        return PolicyText.parse(Map.of(
                "failure-scope", gen.oneOf("target", "workflow"),
                "block-scope", gen.oneOf("target", "workflow"),
                "cooldown-period", gen.oneOf("0", "1ns", "5m", "1h"),
                "base-cooldown-period", gen.oneOf("200ms", "1s", "1m"),
                "max-consecutive-failures", gen.oneOf("1", "3", "5")));
    }

    private interface StepCheck {
        void check(RandomScenario life, LedgerEntry before);
    }

    private static void checkEveryStep(StepCheck check) {
        Property.forAll(CASES, gen -> {
            RandomScenario life = new RandomScenario(gen);
            for (int i = gen.length(1, 60); i > 0; i--) {
                LedgerEntry before = life.entry;
                life.step();
                check.check(life, before);
            }
        });
    }

    @Test
    void epochGrowsWithEveryHolderAcrossRemovedEntries() {
        Property.forAll(CASES, gen -> {
            RandomScenario life = new RandomScenario(gen);
            long highest = 0;
            for (int i = gen.length(1, 60); i > 0; i--) {
                LedgerEntry before = life.entry;
                life.step();
                if (before instanceof LedgerEntry.Free && life.entry instanceof LedgerEntry.Held) {
                    assertThat(life.entry.epoch()).isGreaterThan(highest);
                }
                highest = Math.max(highest, life.entry.epoch());
            }
        });
    }

    @Test
    void admitsNobodyElseWhileTargetIsHeld() {
        checkEveryStep((life, before) -> {
            if (life.entry instanceof LedgerEntry.Held) {
                GateDecision decision = Gate.decide(life.nextRequest(), life.entry, life.policy, life.now);
                assertThat(((GateDecision.Skip) decision).reason()).isEqualTo(SkipReason.ResourceBusy);
            }
        });
    }

    @Test
    void decidingIsPure() {
        checkEveryStep((life, before) -> {
            LedgerEntry entry = life.entry;
            String image = entry.toString();
            GateRequest request = life.nextRequest();
            GateDecision first = Gate.decide(request, entry, life.policy, life.now);
            assertThat(Gate.decide(request, entry, life.policy, life.now)).isEqualTo(first);
            assertThat(entry).hasToString(image);
            assertThat(first.explanation().admits()).isEqualTo(first instanceof GateDecision.Admit);
        });
    }

    @Test
    void blockStaysUntilClearedOrExecutionDeleted() {
        checkEveryStep((life, before) -> before.memory().workflows().forEach((workflow, memory) -> {
            if (memory.block().isPresent()
                    && life.entry.memory().forWorkflow(workflow).block().isEmpty()) {
                boolean cleared = life.entry.clearance().isPresent()
                        && !life.entry.clearance().equals(before.clearance());
                boolean deleted =
                        life.entry.equals(before.forget(memory.block().get().execution(), life.policy));
                assertThat(cleared || deleted)
                        .describedAs("%s then %s", before, life.entry)
                        .isTrue();
            }
        }));
    }

    @Test
    void admitsExactlyAtAllowedInstant() {
        checkEveryStep((life, before) -> {
            GateRequest request = life.nextRequest();
            if (Gate.decide(request, life.entry, life.policy, life.now) instanceof GateDecision.Skip skip) {
                Optional<Instant> at = skip.allowedAt();
                assertThat(at.isPresent()).isEqualTo(skip.reason() == SkipReason.RecentlyRemediated);
                at.ifPresent(instant -> {
                    assertThat(instant).isAfter(life.now);
                    assertThat(Gate.decide(request, life.entry, life.policy, instant))
                            .isInstanceOf(GateDecision.Admit.class);
                    assertThat(Gate.decide(request, life.entry, life.policy, instant.minusNanos(1)))
                            .isInstanceOf(GateDecision.Skip.class);
                });
                assertThat(skip.message()).contains(TargetScenario.TARGET.canonical());
            }
        });
    }

    @Test
    void expiryNeverChangesDecision() {
        checkEveryStep((life, before) -> {
            GateRequest request = life.nextRequest();
            GateDecision decision = Gate.decide(request, life.entry, life.policy, life.now);
            GateDecision after = Gate.decide(request, life.entry.expire(life.policy, life.now), life.policy, life.now);
            assertThat(after.getClass()).isEqualTo(decision.getClass());
        });
    }

    @Test
    void idleEntryDecidesLikeInitialEntry() {
        checkEveryStep((life, before) -> {
            if (life.entry.isIdle(life.now)) {
                GateRequest request = life.nextRequest();
                assertThat(Gate.decide(request, life.entry, life.policy, life.now))
                        .isInstanceOf(GateDecision.Admit.class);
                assertThat(life.entry.memory())
                        .isEqualTo(LedgerEntry.initial(TargetScenario.TARGET).memory());
            }
        });
    }

    @Test
    void consecutiveFailuresGrowByOneUpToLimit() {
        checkEveryStep((life, before) -> {
            if (before instanceof LedgerEntry.Held held) {
                ExecutionOutcome.FailedBeforeExecution next = held.failedStartOutcome("x", life.now, life.policy);
                int count = held.memory()
                        .consecutiveFailures(
                                life.policy.failureScope(), held.holder().workflow());
                assertThat(next.consecutiveFailures()).isEqualTo(count + 1);
                if (life.policy.failureScope() == FailureScope.TARGET) {
                    assertThat(next.consecutiveFailures()).isLessThanOrEqualTo(life.policy.maxConsecutiveFailures());
                }
                assertThat(next.failedAt()).isEqualTo(life.now);
                boolean limitReached = next.consecutiveFailures() >= life.policy.maxConsecutiveFailures();
                assertThat(next.nextAllowed().isEmpty()).isEqualTo(limitReached);
                assertThat(next.nextAllowed().orElse(life.now)).isAfterOrEqualTo(life.now);
            }
        });
    }
}
