package dev.escapement.benchmarks.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The systems in which the gate is measured are what the report says they are. */
class HistoryGeneratorTest {

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void generatesRequestedNumberOfExecutions(int executions) {
        assertThat(HistoryGenerator.generate(executions).executions()).hasSize(executions);
    }

    @Test
    void longHistoryHasEveryOutcomeAndClearances() {
        LedgerSimulation play = HistoryGenerator.generate(10_000);
        Set<Class<? extends ExecutionOutcome>> outcomes = play.executions().stream()
                .flatMap(past -> past.end().stream())
                .map(ending -> ending.outcome().getClass())
                .collect(Collectors.toSet());
        assertThat(outcomes).hasSize(ExecutionOutcome.class.getPermittedSubclasses().length);
        assertThat(play.clearances()).isNotEmpty();
    }

    @Test
    void keepsNoIdleEntries() {
        LedgerSimulation play = HistoryGenerator.generate(10_000);
        assertThat(play.entries())
                .noneMatch(entry -> entry.isIdle(play.now()))
                .hasSizeLessThan(HistoryGenerator.TARGETS);
    }

    /** Whatever the past: the peer of the report answers the same question, not an easier one. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 10_000})
    void listThenFilterDecidesLikeGate(int executions) {
        LedgerSimulation play = HistoryGenerator.generate(executions);
        ListThenFilterGate peer = new ListThenFilterGate(play.executions(), play.clearances());
        Stream.of(HistoryGenerator.randomInputs(play, 2_000), HistoryGenerator.comparableInputs(play, 10))
                .flatMap(Stream::of)
                .forEach(question -> assertThat(peer.decide(question.request(), question.policy(), question.now()))
                        .isEqualTo(failedCheck(question)));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void comparableInputsCoverSituationsEqually(int executions) {
        GateInput[] questions = HistoryGenerator.comparableInputs(HistoryGenerator.generate(executions), 10);
        assertThat(questions).hasSize(10 * GateSituation.values().length);
        for (GateSituation situation : GateSituation.values()) {
            assertThat(questions).filteredOn(situation::matches).hasSize(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void arrangesSituationByLedgerTransitions(GateSituation situation) {
        LedgerSimulation play = new LedgerSimulation();
        situation.arrange(play, HistoryGenerator.newTarget(0));
        GateInput question =
                play.gateInput(play.newRequest(HistoryGenerator.newWorkflow(0), HistoryGenerator.newTarget(0)));
        assertThat(situation.matches(question)).isTrue();
        assertThat(failedCheck(question).isPresent()).isEqualTo(situation.isSkip());
    }

    private static Optional<GateCheck> failedCheck(GateInput question) {
        return LedgerSimulation.failedCheck(LedgerSimulation.decide(question));
    }
}
