package dev.escapement.governor.failure;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Describes a failure in one paragraph for a person or a language model. The same facts give the same text. */
final class FailureSummary {

    private static final int MAX_QUOTE_LENGTH = 300;
    private static final int MAX_TARGET_LENGTH = 600;
    private static final Map<Integer, String> SIGNAL_NAMES =
            Map.of(1, "SIGHUP", 2, "SIGINT", 6, "SIGABRT", 9, "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM");

    private FailureSummary() {}

    static String of(
            String workflow,
            String target,
            FailureOrigin origin,
            FailureReason reason,
            StartStatus startStatus,
            Optional<Duration> time,
            String message) {
        return "Workflow %s on %s failed%s%s%s%s: %s (%s). It was reported: %s. %s What to try: %s."
                .formatted(
                        SafeText.quote(workflow, Failure.MAX_NAME_LENGTH),
                        SafeText.quote(target, MAX_TARGET_LENGTH),
                        time.map(FailureSummary::elapsedText).orElse(""),
                        origin.task().map(task -> taskText(task, origin.run())).orElse(""),
                        origin.step().map(FailureSummary::stepText).orElse(""),
                        origin.terminatedState().map(FailureSummary::exitText).orElse(""),
                        reason.description(),
                        reason,
                        SafeText.quote(message, MAX_QUOTE_LENGTH),
                        consequenceText(startStatus),
                        reason.advice());
    }

    private static String elapsedText(Duration time) {
        ChronoUnit unit = time.compareTo(Duration.ofSeconds(1)) < 0 ? ChronoUnit.MILLIS : ChronoUnit.SECONDS;
        return " after " + DurationText.format(time.truncatedTo(unit));
    }

    private static String taskText(TaskFacts task, RunFacts run) {
        long number = task.index() + 1L;
        String of = run.totalTasks()
                .filter(total -> total >= number)
                .map(total -> " of " + total)
                .orElse("");
        return " in task " + number + of + ", " + SafeText.quote(task.name(), Failure.MAX_NAME_LENGTH);
    }

    private static String stepText(StepFacts step) {
        String role = switch (step.role()) {
            case STEP -> ", step ";
            case SIDECAR -> ", sidecar ";
            case SETUP -> ", set-up container ";
        };
        return role + SafeText.quote(step.name(), Failure.MAX_NAME_LENGTH);
    }

    private static String exitText(StepState.Terminated ended) {
        return ended.signal()
                .map(number -> ", killed by " + signalName(number))
                .or(() -> ended.exitCode().map(code -> ", exit code " + code + exitCodeMeaning(code)))
                .orElse("");
    }

    /** The usual meaning among shells and container runtimes; a program may use a code for something else. */
    private static String exitCodeMeaning(int exitCode) {
        if (exitCode > 128 && exitCode < 128 + 65) {
            return " (as if killed by " + signalName(exitCode - 128) + ")";
        }
        return switch (exitCode) {
            case 126 -> " (usually: not executable)";
            case 127 -> " (usually: command not found)";
            default -> "";
        };
    }

    private static String signalName(int number) {
        return SIGNAL_NAMES.getOrDefault(number, "signal " + number);
    }

    private static String consequenceText(StartStatus startStatus) {
        return switch (startStatus) {
            case NO -> "No step had started, so nothing was changed.";
            case YES ->
                "A step had started, so the target may be changed in part: look at it before anything runs again.";
            case UNKNOWN ->
                "Whether a step had started is not known, which counts as having run: look at the target before anything"
                        + " runs again.";
        };
    }
}
