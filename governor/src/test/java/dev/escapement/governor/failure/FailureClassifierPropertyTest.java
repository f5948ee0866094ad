package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.StepState.Running;
import dev.escapement.governor.failure.StepState.Terminated;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailureClassifierPropertyTest {

    private static final int CASES = 2_000;

    @Test
    void anyFactsGiveBoundedFailureAndSummary() {
        Property.forAll(CASES, gen -> {
            RunFacts run = RunFactsGenerator.run(gen);
            Failure failure = RunFactsFixtures.classify(run);
            Failure ofAnything =
                    FailureClassifier.classify(RunFactsGenerator.message(gen), RunFactsGenerator.message(gen), run);

            assertThat(ofAnything.naturalLanguageSummary())
                    .hasSizeLessThanOrEqualTo(Failure.MAX_SUMMARY_LENGTH)
                    .matches("\\P{Cntrl}*");
            assertThat(failure.failedAt()).isEqualTo(run.endedAt());
            assertThat(failure.message()).isNotBlank().hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE_LENGTH);
            assertThat(failure.naturalLanguageSummary())
                    .startsWith("Workflow \"restart-pods\" on \"payment/deployment/payment-api\" failed")
                    .contains("(" + failure.reason() + ")")
                    .endsWith("What to try: " + failure.reason().advice() + ".")
                    .hasSizeLessThanOrEqualTo(Failure.MAX_SUMMARY_LENGTH);
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
            assertThat(RunFactsFixtures.classify(run))
                    .describedAs("the same again")
                    .isEqualTo(failure);
        });
    }

    @Test
    void startedStepAlwaysCountsAsStarted() {
        Property.forAll(CASES, gen -> {
            StepState ran = gen.oneIn(2)
                    ? new Running(Optional.empty())
                    : new Terminated(
                            Optional.of(gen.between(0, 255)),
                            Optional.empty(),
                            RunFactsGenerator.reason(gen),
                            RunFactsGenerator.message(gen),
                            Optional.empty());
            StepFacts step = gen.oneIn(2) ? StepFacts.step("s", ran) : StepFacts.sidecar("s", ran);
            TaskFacts any = RunFactsGenerator.task(gen);
            TaskFacts task = gen.oneIn(2) ? any.withSteps(step) : any.withEarlierSteps(step);
            RunFacts run = RunFactsGenerator.run(gen);
            List<TaskFacts> tasks = new ArrayList<>(run.tasks());
            tasks.add(gen.between(0, tasks.size()), task);

            assertThat(RunFactsFixtures.classify(run.tasks(3, tasks)).startStatus())
                    .isEqualTo(StartStatus.YES);
        });
    }

    @Test
    void requiresCompleteFactsForNotStarted() {
        Property.forAll(CASES, gen -> {
            RunFacts run = RunFactsGenerator.run(gen);
            if (RunFactsFixtures.classify(run).wasExecutionFailure()) {
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
    void removingFactsNeverTurnsStartedIntoNotStarted() {
        Property.forAll(CASES, gen -> {
            RunFacts run = RunFactsGenerator.run(gen);
            if (couldNotStartAnything(run) || !RunFactsFixtures.classify(run).wasExecutionFailure()) {
                return;
            }
            assertThat(RunFactsFixtures.classify(removeFacts(gen, run)).wasExecutionFailure())
                    .isTrue();
        });
    }

    @Test
    void messagesNeverChangeStartStatus() {
        Property.forAll(CASES, gen -> {
            RunFacts run = RunFactsGenerator.run(gen);
            List<TaskFacts> talkative = run.tasks().stream()
                    .map(task -> task.withReason(task.reason(), RunFactsGenerator.message(gen)))
                    .toList();
            RunFacts other =
                    run.withReason(run.reason(), RunFactsGenerator.message(gen)).tasks(3, talkative);
            assertThat(RunFactsFixtures.classify(other).startStatus())
                    .isEqualTo(RunFactsFixtures.classify(run).startStatus());
        });
    }

    private static boolean couldNotStartAnything(RunFacts run) {
        return run.neverStarted()
                || run.end() == RunEnd.INVALID
                || (run.end() == RunEnd.REFUSED && !mayHaveBeenExecuted(run));
    }

    private static boolean mayHaveBeenExecuted(RunFacts refused) {
        return refused.httpCode()
                .map(HttpStatusClassifier::isTransient)
                .orElseGet(() -> refused.reasons().evidence(refused.reason()).forRun() != StartStatus.NO);
    }

    /** Removes a task, a step or a reason; the facts are then no longer complete. */
    private static RunFacts removeFacts(Generator gen, RunFacts run) {
        List<TaskFacts> tasks = gen.oneIn(2)
                ? RunFactsGenerator.removeSome(gen, run.tasks())
                : run.tasks().stream()
                        .map(task -> task.withSteps(
                                RunFactsGenerator.removeSome(gen, task.steps()).toArray(StepFacts[]::new)))
                        .toList();
        return new RunFacts(
                run.end(),
                gen.oneIn(2) ? "" : run.reason(),
                run.message(),
                run.httpCode(),
                Optional.empty(),
                run.startedAt(),
                run.endedAt(),
                tasks,
                run.reasons(),
                false,
                run.neverStarted());
    }
}
