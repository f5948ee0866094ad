package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.StepState.Running;
import dev.escapement.governor.failure.StepState.Terminated;
import dev.escapement.testkit.Gen;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailurePropertiesTest {

    private static final int CASES = 2_000;

    @Test
    void anyFactsGiveAFailureWithASummaryThatCanBeShown() {
        Property.forAll(CASES, gen -> {
            RunFacts run = AnyFacts.run(gen);
            Failure failure = Facts.classify(run);
            Failure ofAnything =
                    FailureClassifier.classify(new Subject(AnyFacts.message(gen), AnyFacts.message(gen)), run);

            assertThat(ofAnything.naturalLanguageSummary())
                    .hasSizeLessThanOrEqualTo(Failure.LONGEST_SUMMARY)
                    .matches("\\P{Cntrl}*");
            assertThat(failure.failedAt()).isEqualTo(run.endedAt());
            assertThat(failure.message()).isNotBlank().hasSizeLessThanOrEqualTo(Failure.LONGEST_MESSAGE);
            assertThat(failure.naturalLanguageSummary())
                    .startsWith("Workflow \"restart-pods\" on \"payment/deployment/payment-api\" failed")
                    .contains("(" + failure.reason() + ")")
                    .endsWith("What to try: " + failure.reason().advice() + ".")
                    .hasSizeLessThanOrEqualTo(Failure.LONGEST_SUMMARY);
            assertThat(Stream.of(
                                    Optional.of(failure.message()),
                                    Optional.of(failure.naturalLanguageSummary()),
                                    failure.failedTaskName(),
                                    failure.failedStepName())
                            .flatMap(Optional::stream)
                            .flatMapToInt(String::codePoints))
                    .noneMatch(character -> Character.isISOControl(character)
                            || Character.getType(character) == Character.FORMAT
                            || Character.getType(character) == Character.SURROGATE);
            assertThat(failure.executionTimeBeforeFailure().orElse(Duration.ZERO))
                    .isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(Facts.classify(run)).describedAs("the same again").isEqualTo(failure);
        });
    }

    @Test
    void aStepThatWasSeenToRunCountsWhateverElseIsSaid() {
        Property.forAll(CASES, gen -> {
            StepState ran = gen.once(2)
                    ? new Running(Optional.empty())
                    : new Terminated(
                            Optional.of(gen.between(0, 255)),
                            Optional.empty(),
                            AnyFacts.reason(gen),
                            AnyFacts.message(gen),
                            Optional.empty());
            StepFacts step = gen.once(2) ? StepFacts.step("s", ran) : StepFacts.sidecar("s", ran);
            TaskFacts any = AnyFacts.task(gen);
            TaskFacts task = gen.once(2) ? any.with(step) : any.after(step);
            RunFacts run = AnyFacts.run(gen);
            List<TaskFacts> tasks = new ArrayList<>(run.tasks());
            tasks.add(gen.between(0, tasks.size()), task);

            assertThat(Facts.classify(run.tasks(3, tasks)).started()).isEqualTo(Started.YES);
        });
    }

    @Test
    void onlyCompleteFactsOrNothingToStartGiveBefore() {
        Property.forAll(CASES, gen -> {
            RunFacts run = AnyFacts.run(gen);
            if (Facts.classify(run).wasExecutionFailure()) {
                return;
            }
            assertThat(run.complete() || couldNotStartAnything(run)).isTrue();
            assertThat(couldNotStartAnything(run)
                            || List.of(RunEnd.FAILED, RunEnd.TIMED_OUT, RunEnd.CANCELLED)
                                    .contains(run.end()))
                    .isTrue();
        });
    }

    @Test
    void knowingLessNeverTurnsDuringIntoBefore() {
        Property.forAll(CASES, gen -> {
            RunFacts run = AnyFacts.run(gen);
            if (couldNotStartAnything(run) || !Facts.classify(run).wasExecutionFailure()) {
                return;
            }
            assertThat(Facts.classify(withLess(gen, run)).wasExecutionFailure()).isTrue();
        });
    }

    @Test
    void whatMessagesSayNeverChangesWhetherItRan() {
        Property.forAll(CASES, gen -> {
            RunFacts run = AnyFacts.run(gen);
            List<TaskFacts> talkative = run.tasks().stream()
                    .map(task -> task.because(task.reason(), AnyFacts.message(gen)))
                    .toList();
            RunFacts other = run.because(run.reason(), AnyFacts.message(gen)).tasks(3, talkative);
            assertThat(Facts.classify(other).started())
                    .isEqualTo(Facts.classify(run).started());
        });
    }

    private static boolean couldNotStartAnything(RunFacts run) {
        return run.neverLetGo()
                || run.end() == RunEnd.INVALID
                || (run.end() == RunEnd.REFUSED && !mayHaveBeenCarriedOut(run));
    }

    private static boolean mayHaveBeenCarriedOut(RunFacts refused) {
        return refused.httpStatus()
                .map(Refusal::isTransient)
                .orElseGet(() -> Rules.evidence(refused.reason()).ofRun() != Started.NO);
    }

    /** A task or a step fewer, or only the word that this was all; whoever has seen less cannot give that word. */
    private static RunFacts withLess(Gen gen, RunFacts run) {
        List<TaskFacts> tasks = gen.once(2)
                ? AnyFacts.without(gen, run.tasks())
                : run.tasks().stream()
                        .map(task ->
                                task.with(AnyFacts.without(gen, task.steps()).toArray(StepFacts[]::new)))
                        .toList();
        return new RunFacts(
                run.end(),
                gen.once(2) ? "" : run.reason(),
                run.message(),
                run.httpStatus(),
                Optional.empty(),
                run.startedAt(),
                run.endedAt(),
                tasks,
                false,
                run.neverLetGo());
    }
}
