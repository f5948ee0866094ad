package dev.escapement.governor.failure;

import dev.escapement.common.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Turns the facts of a run into the failure that is recorded. Every set of facts has a result. */
public final class FailureClassifier {

    private FailureClassifier() {}

    /**
     * Classifies a run that did not succeed.
     *
     * @param workflow the workflow's id as requested
     * @param target as requested; not necessarily a valid {@link dev.escapement.governor.Target}
     */
    public static Failure classify(String workflow, String target, RunFacts run) {
        return classify(workflow, target, run, Instant.MIN);
    }

    /**
     * Classifies a run of an execution that acquired its target at a known time.
     *
     * @param acquiredAt no step started before it, whatever the executor reports: some count whole seconds
     */
    public static Failure classify(String workflow, String target, RunFacts run, Instant acquiredAt) {
        FailureOrigin origin = FailureOrigin.find(run);
        FailureReason reason = chooseReason(run, origin);
        StartStatus startStatus = StartStatus.of(run);
        Optional<Duration> time = executionTime(run, startStatus, acquiredAt);
        String message = chooseMessage(run, origin, reason);
        return new Failure(
                reason,
                message,
                run.endedAt(),
                origin.task().map(task -> SafeText.sanitize(task.name(), Failure.MAX_NAME_LENGTH)),
                origin.task().map(TaskFacts::index),
                origin.step().map(step -> SafeText.sanitize(step.name(), Failure.MAX_NAME_LENGTH)),
                origin.terminatedState().flatMap(StepState.Terminated::shellExitCode),
                time,
                FailureSummary.of(workflow, target, origin, reason, startStatus, time, message),
                startStatus);
    }

    /** Structured facts first, text last. */
    private static FailureReason chooseReason(RunFacts run, FailureOrigin origin) {
        ReasonTable reasons = run.reasons();
        boolean taskFailed =
                origin.task().filter(task -> task.state() == TaskState.FAILED).isPresent();
        return switch (run.end()) {
            case INVALID -> FailureReason.ValidationError;
            case CANCELLED -> FailureReason.Cancelled;
            case DELETED -> FailureReason.PipelineRunDeleted;
            case LOST -> FailureReason.Unknown;
            case REFUSED ->
                run.httpCode()
                        .map(status -> HttpStatusClassifier.reasonFor(status, run.message()))
                        .or(() -> origin.matchReason(reasons::anyReason))
                        .or(origin::matchMessage)
                        .orElse(FailureReason.PipelineRunCreationFailed);
            // An image that could not be pulled until the timeout is the cause, not the timeout. A cancelled task is
            // not: executors cancel the tasks of a run that timed out.
            case TIMED_OUT ->
                origin.matchReason(reason ->
                                reasons.preciseReason(reason).filter(cause -> cause != FailureReason.Cancelled))
                        .orElse(FailureReason.DeadlineExceeded);
            case FAILED ->
                origin.matchReason(reasons::preciseReason)
                        .or(() -> origin.endedInError() ? Optional.of(FailureReason.TaskFailed) : Optional.empty())
                        .or(origin::matchMessage)
                        .or(() -> origin.matchReason(reasons::anyReason))
                        .orElse(taskFailed ? FailureReason.TaskFailed : FailureReason.Unknown);
        };
    }

    private static Optional<Duration> executionTime(RunFacts run, StartStatus startStatus, Instant acquiredAt) {
        if (startStatus == StartStatus.NO) {
            return Optional.empty();
        }
        return firstStepStart(run)
                .or(run::startedAt)
                .map(start -> start.isBefore(acquiredAt) ? acquiredAt : start)
                .map(start -> Duration.between(start, run.endedAt()).truncatedTo(ChronoUnit.MILLIS))
                // The two times may come from different clocks.
                .map(time -> time.isNegative() ? Duration.ZERO : time);
    }

    private static Optional<Instant> firstStepStart(RunFacts run) {
        return run.tasks().stream()
                .flatMap(task -> Stream.of(task.steps(), task.earlierSteps()))
                .flatMap(Collection::stream)
                .filter(StepFacts::isWorkflowStep)
                .flatMap(step -> step.state().startedAt().stream())
                .min(Comparator.naturalOrder());
    }

    /**
     * The executor's message about the task is better than what the step wrote, and both are better than the run's
     * counts. For a cancelled run the run's message comes first, because it names who cancelled it.
     */
    private static String chooseMessage(RunFacts run, FailureOrigin origin, FailureReason reason) {
        return Stream.of(
                        run.end() == RunEnd.CANCELLED ? run.message() : "",
                        origin.task().map(TaskFacts::message).orElse(""),
                        origin.step().map(step -> step.state().message()).orElse(""),
                        run.message())
                .map(message -> SafeText.sanitize(message, Failure.MAX_MESSAGE_LENGTH))
                .filter(message -> !message.isEmpty())
                .findFirst()
                .orElse("nothing was reported: " + reason.description());
    }
}
