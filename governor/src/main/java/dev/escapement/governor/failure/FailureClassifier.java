package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.ReasonTable.firstMatch;

import dev.escapement.governor.SafeText;
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
    public static Failure classify(FailureSubject subject, RunFacts run) {
        FailureOrigin blame = FailureOrigin.find(run);
        FailureReason reason = chooseReason(run, blame);
        StartStatus started = StartStatus.of(run);
        Optional<Duration> time = executionTime(run, started);
        String message = chooseMessage(run, blame, reason);
        return new Failure(
                reason,
                message,
                run.endedAt(),
                blame.task().map(task -> SafeText.sanitize(task.name(), Failure.MAX_NAME_LENGTH)),
                blame.task().map(TaskFacts::index),
                blame.step().map(step -> SafeText.sanitize(step.name(), Failure.MAX_NAME_LENGTH)),
                blame.terminatedState().flatMap(StepState.Terminated::shellExitCode),
                time,
                FailureSummary.of(subject, run, blame, reason, started, time, message),
                started);
    }

    /** Structured facts first, text last. */
    private static FailureReason chooseReason(RunFacts run, FailureOrigin blame) {
        return switch (run.end()) {
            case INVALID -> FailureReason.ValidationError;
            case CANCELLED -> FailureReason.Cancelled;
            case DELETED -> FailureReason.PipelineRunDeleted;
            case LOST -> FailureReason.Unknown;
            case REFUSED ->
                run.httpStatus()
                        .map(status -> HttpStatusClassifier.reasonFor(status, run.message()))
                        .or(() -> firstMatch(blame.reasons(run), ReasonTable::anyReason))
                        .or(() -> firstMatch(blame.messages(run), ReasonTable::matchText))
                        .orElse(FailureReason.PipelineRunCreationFailed);
            // A run that waited for its image until its time was over is told by the image.
            case TIMED_OUT ->
                firstMatch(blame.reasons(run), FailureClassifier::preciseUnlessCancelled)
                        .orElse(FailureReason.DeadlineExceeded);
            case FAILED ->
                firstMatch(blame.reasons(run), ReasonTable::preciseReason)
                        .or(() -> stepErrorReason(blame))
                        .or(() -> firstMatch(blame.messages(run), ReasonTable::matchText))
                        .or(() -> firstMatch(blame.reasons(run), ReasonTable::anyReason))
                        .orElseGet(() -> failedTaskOrUnknown(blame));
        };
    }

    /** Tekton ends the tasks of a run whose time is over by cancelling them. */
    private static Optional<FailureReason> preciseUnlessCancelled(String reason) {
        return ReasonTable.preciseReason(reason).filter(means -> means != FailureReason.Cancelled);
    }

    private static Optional<FailureReason> stepErrorReason(FailureOrigin blame) {
        return blame.terminatedState().filter(StepState.Terminated::isError).map(error -> FailureReason.TaskFailed);
    }

    private static FailureReason failedTaskOrUnknown(FailureOrigin blame) {
        return blame.task()
                .filter(task -> task.state() == TaskState.FAILED)
                .map(failed -> FailureReason.TaskFailed)
                .orElse(FailureReason.Unknown);
    }

    private static Optional<Duration> executionTime(RunFacts run, StartStatus started) {
        if (started == StartStatus.NO) {
            return Optional.empty();
        }
        return firstStepStart(run)
                .or(run::startedAt)
                .map(start -> Duration.between(start, run.endedAt()))
                // Clocks of several machines took part.
                .map(time -> time.isNegative() ? Duration.ZERO : time);
    }

    private static Optional<Instant> firstStepStart(RunFacts run) {
        return run.tasks().stream()
                .flatMap(task -> Stream.of(task.steps(), task.earlierSteps()))
                .flatMap(Collection::stream)
                .filter(StepFacts::isWorkflowStep)
                .map(StepFacts::startedAt)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /**
     * An executor's sentence about a task says more than what the step wrote itself, and both more than the run's
     * counts. Of a run that was cancelled people want to know by whom, and that the run says.
     */
    private static String chooseMessage(RunFacts run, FailureOrigin blame, FailureReason reason) {
        return Stream.of(
                        run.end() == RunEnd.CANCELLED ? run.message() : "",
                        blame.task().map(TaskFacts::message).orElse(""),
                        blame.step().map(step -> step.state().message()).orElse(""),
                        run.message())
                .map(said -> SafeText.sanitize(said, Failure.MAX_MESSAGE_LENGTH))
                .filter(said -> !said.isEmpty())
                .findFirst()
                .orElse("nothing was reported: " + reason.description());
    }
}
