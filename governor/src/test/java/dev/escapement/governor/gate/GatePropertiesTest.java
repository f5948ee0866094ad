package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Story;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.testkit.Gen;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What holds in every life of a target: random steps in a random order. */
class GatePropertiesTest {

    private static final int LIVES = 1_000;

    /** A target's life under one policy. Each step is checked against the promises as it is made. */
    private static final class Life {
        final Gen gen;
        final Policy policy;
        Instant now = Story.START;
        LedgerEntry entry = LedgerEntry.fresh(Story.TARGET);
        int executions;

        Life(Gen gen) {
            this.gen = gen;
            this.policy = anyPolicy(gen);
        }

        Request request() {
            return Story.request(gen.oneOf("a", "b", "c"), ++executions);
        }

        void step() {
            now = now.plusNanos(gen.magnitude(Duration.ofMinutes(20).toNanos()));
            switch (gen.between(0, 9)) {
                case 0 -> {
                    LedgerEntry expired = entry.expire(policy, now);
                    // As a store does: what is idle is removed, and made anew when it is needed.
                    entry = expired.isIdle(now) ? LedgerEntry.fresh(Story.TARGET) : expired;
                }
                case 1 ->
                    entry = entry.forget(new ExecutionRef("ops", "x", "uid-" + gen.between(0, executions)), policy);
                case 2 ->
                    entry = gen.once(4)
                            ? entry.clear(new Clearance("anna", "fine", now)).orElse(entry)
                            : entry;
                default -> {
                    if (entry instanceof LedgerEntry.Held held) {
                        entry = held.release(anyOutcome(held), now);
                    } else {
                        Request request = request();
                        if (Gate.decide(request, entry, policy, now) instanceof Decision.Admit
                                && entry instanceof LedgerEntry.Free free) {
                            entry = free.acquire(
                                    new Holder(request.execution(), request.workflow(), "run", "run", now));
                        }
                    }
                }
            }
        }

        private Outcome anyOutcome(LedgerEntry.Held held) {
            return switch (gen.between(0, 6)) {
                case 0 -> new Outcome.FailedDuringExecution("TaskFailed");
                case 1 -> new Outcome.Lost();
                case 2 -> new Outcome.Completed();
                case 3 -> new Outcome.Withdrawn();
                default -> held.couldNotStart("Forbidden", now, policy);
            };
        }
    }

    private static Policy anyPolicy(Gen gen) {
        return PolicyText.parse(Map.of(
                "failure-scope", gen.oneOf("target", "workflow"),
                "cooldown-period", gen.oneOf("0", "1ns", "5m", "1h"),
                "base-cooldown-period", gen.oneOf("0", "1ns", "1m"),
                "max-consecutive-failures", gen.oneOf("1", "3", "5")));
    }

    private interface Check {
        void on(Life life, LedgerEntry before);
    }

    private static void everyStep(Check check) {
        Property.forAll(LIVES, gen -> {
            Life life = new Life(gen);
            for (int i = gen.length(1, 60); i > 0; i--) {
                LedgerEntry before = life.entry;
                life.step();
                check.on(life, before);
            }
        });
    }

    @Test
    void theEpochGrowsWithEveryHolderAlsoAcrossRemovedEntries() {
        Property.forAll(LIVES, gen -> {
            Life life = new Life(gen);
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
    void whileOneHoldsTheTargetNobodyElseIsAdmitted() {
        everyStep((life, before) -> {
            if (life.entry instanceof LedgerEntry.Held) {
                Decision decision = Gate.decide(life.request(), life.entry, life.policy, life.now);
                assertThat(((Decision.Skip) decision).reason()).isEqualTo(SkipReason.ResourceBusy);
            }
        });
    }

    @Test
    void askingChangesNothingAndGivesTheSameAnswerTwice() {
        everyStep((life, before) -> {
            LedgerEntry entry = life.entry;
            String image = entry.toString();
            Request request = life.request();
            Decision first = Gate.decide(request, entry, life.policy, life.now);
            assertThat(Gate.decide(request, entry, life.policy, life.now)).isEqualTo(first);
            assertThat(entry).hasToString(image);
            assertThat(first.explanation().admits()).isEqualTo(first instanceof Decision.Admit);
        });
    }

    @Test
    void aBlockStaysUntilItIsClearedOrItsExecutionIsDeleted() {
        everyStep((life, before) -> before.memory().workflows().forEach((workflow, memory) -> {
            if (memory.block().isPresent()
                    && life.entry.memory().of(workflow).block().isEmpty()) {
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
    void whatIsAllowedAtAnInstantIsAllowedExactlyThen() {
        everyStep((life, before) -> {
            Request request = life.request();
            if (Gate.decide(request, life.entry, life.policy, life.now) instanceof Decision.Skip skip) {
                Optional<Instant> at = skip.allowedAt();
                assertThat(at.isPresent()).isEqualTo(skip.reason() == SkipReason.RecentlyRemediated);
                at.ifPresent(instant -> {
                    assertThat(instant).isAfter(life.now);
                    assertThat(Gate.decide(request, life.entry, life.policy, instant))
                            .isInstanceOf(Decision.Admit.class);
                    assertThat(Gate.decide(request, life.entry, life.policy, instant.minusNanos(1)))
                            .isInstanceOf(Decision.Skip.class);
                });
                assertThat(skip.message()).contains(Story.TARGET.canonical());
            }
        });
    }

    @Test
    void expiryNeverChangesAnAnswer() {
        everyStep((life, before) -> {
            Request request = life.request();
            Decision decision = Gate.decide(request, life.entry, life.policy, life.now);
            Decision after = Gate.decide(request, life.entry.expire(life.policy, life.now), life.policy, life.now);
            assertThat(after.getClass()).isEqualTo(decision.getClass());
        });
    }

    @Test
    void anIdleEntryIsAsGoodAsNone() {
        everyStep((life, before) -> {
            if (life.entry.isIdle(life.now)) {
                Request request = life.request();
                assertThat(Gate.decide(request, life.entry, life.policy, life.now))
                        .isInstanceOf(Decision.Admit.class);
                assertThat(life.entry.memory())
                        .isEqualTo(LedgerEntry.fresh(Story.TARGET).memory());
            }
        });
    }

    @Test
    void consecutiveFailuresGrowByOneAndNeverPastTheLimit() {
        everyStep((life, before) -> {
            if (before instanceof LedgerEntry.Held held) {
                Outcome.FailedBeforeExecution next = held.couldNotStart("x", life.now, life.policy);
                int count = held.memory()
                        .failures(life.policy.failureScope(), held.holder().workflow());
                assertThat(next.consecutiveFailures()).isEqualTo(count + 1);
                if (life.policy.failureScope() == FailureScope.TARGET) {
                    assertThat(next.consecutiveFailures()).isLessThanOrEqualTo(life.policy.maxConsecutiveFailures());
                }
                assertThat(next.nextAllowed()).isAfterOrEqualTo(life.now);
            }
        });
    }
}
