package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Rules.first;

import dev.escapement.governor.PlainText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Turns the facts of a run into the failure that is recorded. Every run gets one, whatever its facts are. */
public final class FailureClassifier {

    private FailureClassifier() {}

    /** Classifies a run that did not succeed. */
    public static Failure classify(Subject subject, RunFacts run) {
        Blame blame = Blame.in(run);
        FailureReason reason = reason(run, blame);
        Started started = Started.inAnyStepOf(run);
        Optional<Duration> time = executionTime(run, started);
        String message = message(run, blame, reason);
        return new Failure(
                reason,
                message,
                run.endedAt(),
                blame.task().map(task -> PlainText.of(task.name(), Failure.LONGEST_NAME)),
                blame.task().map(TaskFacts::index),
                blame.step().map(step -> PlainText.of(step.name(), Failure.LONGEST_NAME)),
                blame.ended().flatMap(StepState.Terminated::shellExitCode),
                time,
                Summary.of(subject, run, blame, reason, started, time, message),
                started);
    }

    /** Structured facts first, text last. */
    private static FailureReason reason(RunFacts run, Blame blame) {
        return switch (run.end()) {
            case INVALID -> FailureReason.ValidationError;
            case CANCELLED -> FailureReason.Cancelled;
            case DELETED -> FailureReason.PipelineRunDeleted;
            case LOST -> FailureReason.Unknown;
            case REFUSED ->
                run.httpStatus()
                        .map(status -> Refusal.reasonFor(status, run.message()))
                        .or(() -> first(blame.reasons(run), Rules::any))
                        .or(() -> first(blame.messages(run), Rules::text))
                        .orElse(FailureReason.PipelineRunCreationFailed);
            // A run that waited for its image until its time was over is told by the image.
            case TIMED_OUT ->
                first(blame.reasons(run), FailureClassifier::butNotCancelled).orElse(FailureReason.DeadlineExceeded);
            case FAILED ->
                first(blame.reasons(run), Rules::precise)
                        .or(() -> ownError(blame))
                        .or(() -> first(blame.messages(run), Rules::text))
                        .or(() -> first(blame.reasons(run), Rules::any))
                        .orElseGet(() -> failedTaskOrUnknown(blame));
        };
    }

    /** Tekton ends the tasks of a run whose time is over by cancelling them. */
    private static Optional<FailureReason> butNotCancelled(String reason) {
        return Rules.precise(reason).filter(means -> means != FailureReason.Cancelled);
    }

    private static Optional<FailureReason> ownError(Blame blame) {
        return blame.ended().filter(StepState.Terminated::isError).map(error -> FailureReason.TaskFailed);
    }

    private static FailureReason failedTaskOrUnknown(Blame blame) {
        return blame.task()
                .filter(task -> task.state() == TaskState.FAILED)
                .map(failed -> FailureReason.TaskFailed)
                .orElse(FailureReason.Unknown);
    }

    private static Optional<Duration> executionTime(RunFacts run, Started started) {
        if (started == Started.NO) {
            return Optional.empty();
        }
        return firstStart(run)
                .or(run::startedAt)
                .map(start -> Duration.between(start, run.endedAt()))
                // Clocks of several machines took part.
                .map(time -> time.isNegative() ? Duration.ZERO : time);
    }

    private static Optional<Instant> firstStart(RunFacts run) {
        return run.tasks().stream()
                .flatMap(task -> Stream.of(task.steps(), task.earlierSteps()))
                .flatMap(Collection::stream)
                .filter(StepFacts::isOfTheWorkflow)
                .map(StepFacts::startedAt)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /**
     * An executor's sentence about a task says more than what the step wrote itself, and both more than the run's
     * counts. Of a run that was cancelled people want to know by whom, and that the run says.
     */
    private static String message(RunFacts run, Blame blame, FailureReason reason) {
        return Stream.of(
                        run.end() == RunEnd.CANCELLED ? run.message() : "",
                        blame.task().map(TaskFacts::message).orElse(""),
                        blame.step().map(step -> step.state().message()).orElse(""),
                        run.message())
                .map(said -> PlainText.of(said, Failure.LONGEST_MESSAGE))
                .filter(said -> !said.isEmpty())
                .findFirst()
                .orElse("nothing was reported: " + reason.story());
    }
}
