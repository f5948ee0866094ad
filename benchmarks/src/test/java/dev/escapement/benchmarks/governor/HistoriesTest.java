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
class HistoriesTest {

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void aSystemHasSeenAsManyExecutionsAsWereAskedFor(int executions) {
        assertThat(Histories.of(executions).executions()).hasSize(executions);
    }

    @Test
    void aLongHistoryHasEveryOutcomeAndClearances() {
        Play play = Histories.of(10_000);
        Set<Class<? extends ExecutionOutcome>> outcomes = play.executions().stream()
                .flatMap(past -> past.ending().stream())
                .map(ending -> ending.outcome().getClass())
                .collect(Collectors.toSet());
        assertThat(outcomes).hasSize(ExecutionOutcome.class.getPermittedSubclasses().length);
        assertThat(play.clearances()).isNotEmpty();
    }

    @Test
    void nothingIdleIsKept() {
        Play play = Histories.of(10_000);
        assertThat(play.entries()).noneMatch(entry -> entry.isIdle(play.now())).hasSizeLessThan(Histories.TARGETS);
    }

    /** Whatever the past: the peer of the report answers the same question, not an easier one. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 10_000})
    void listThenFilterGivesTheSameAnswersAsTheGate(int executions) {
        Play play = Histories.of(executions);
        ListThenFilter peer = new ListThenFilter(play.executions(), play.clearances());
        Stream.of(Histories.any(play, 2_000), Histories.alike(play, 10))
                .flatMap(Stream::of)
                .forEach(question -> assertThat(peer.decide(question.request(), question.policy(), question.now()))
                        .isEqualTo(objection(question)));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void alikeAsksAsManyQuestionsOfEachSituation(int executions) {
        GateInput[] questions = Histories.alike(Histories.of(executions), 10);
        assertThat(questions).hasSize(10 * Situation.values().length);
        for (Situation situation : Situation.values()) {
            assertThat(questions).filteredOn(situation::isMetBy).hasSize(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSituationIsArrangedByRealTransitions(Situation situation) {
        Play play = new Play();
        situation.arrange(play, Histories.target(0));
        GateInput question = play.question(play.request(Histories.workflow(0), Histories.target(0)));
        assertThat(situation.isMetBy(question)).isTrue();
        assertThat(objection(question).isPresent()).isEqualTo(situation.isSkip());
    }

    private static Optional<GateCheck> objection(GateInput question) {
        return Play.objection(Play.decide(question));
    }
}
