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

/** Checks that the generated histories are as the report describes them. */
class HistoryGeneratorTest {

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void generatesRequestedNumberOfExecutions(int executions) {
        assertThat(HistoryGenerator.generate(executions).executions()).hasSize(executions);
    }

    @Test
    void longHistoryHasEveryOutcomeAndClearances() {
        LedgerSimulation simulation = HistoryGenerator.generate(10_000);
        Set<Class<? extends ExecutionOutcome>> outcomes = simulation.executions().stream()
                .flatMap(past -> past.end().stream())
                .map(ending -> ending.outcome().getClass())
                .collect(Collectors.toSet());
        assertThat(outcomes).hasSize(ExecutionOutcome.class.getPermittedSubclasses().length);
        assertThat(simulation.clearances()).isNotEmpty();
    }

    @Test
    void keepsNoIdleEntries() {
        LedgerSimulation simulation = HistoryGenerator.generate(10_000);
        assertThat(simulation.entries())
                .noneMatch(entry -> entry.isIdle(simulation.now()))
                .hasSizeLessThan(HistoryGenerator.TARGETS);
    }

    /** The compared gate must solve the same problem, not an easier one. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 10_000})
    void listThenFilterDecidesLikeGate(int executions) {
        LedgerSimulation simulation = HistoryGenerator.generate(executions);
        ListThenFilterGate listGate = new ListThenFilterGate(simulation.executions(), simulation.clearances());
        Stream.of(HistoryGenerator.randomInputs(simulation, 2_000), HistoryGenerator.comparableInputs(simulation, 10))
                .flatMap(Stream::of)
                .forEach(input -> assertThat(listGate.decide(input.request(), input.policy(), input.now()))
                        .isEqualTo(failedCheck(input)));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void comparableInputsCoverSituationsEqually(int executions) {
        GateInput[] inputs = HistoryGenerator.comparableInputs(HistoryGenerator.generate(executions), 10);
        assertThat(inputs).hasSize(10 * GateSituation.values().length);
        for (GateSituation situation : GateSituation.values()) {
            assertThat(inputs).filteredOn(situation::matches).hasSize(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void arrangesSituationByLedgerTransitions(GateSituation situation) {
        LedgerSimulation simulation = new LedgerSimulation();
        situation.arrange(simulation, HistoryGenerator.newTarget(0));
        GateInput input = simulation.gateInput(
                simulation.newRequest(HistoryGenerator.newWorkflow(0), HistoryGenerator.newTarget(0)));
        assertThat(situation.matches(input)).isTrue();
        assertThat(failedCheck(input).isPresent()).isEqualTo(situation.isSkip());
    }

    private static Optional<GateCheck> failedCheck(GateInput input) {
        return LedgerSimulation.failedCheck(LedgerSimulation.decide(input));
    }
}
