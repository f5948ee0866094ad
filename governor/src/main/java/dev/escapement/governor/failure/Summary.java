package dev.escapement.governor.failure;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.PlainText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** One paragraph about a failure, for a person or a language model. The same facts give the same words. */
final class Summary {

    private static final int LONGEST_QUOTE = 300;
    private static final int LONGEST_TARGET = 600;
    private static final Map<Integer, String> SIGNALS =
            Map.of(1, "SIGHUP", 2, "SIGINT", 6, "SIGABRT", 9, "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM");

    private Summary() {}

    static String of(
            Subject subject,
            RunFacts run,
            Blame blame,
            FailureReason reason,
            Started started,
            Optional<Duration> time,
            String message) {
        return "Workflow %s on %s failed%s%s%s%s: %s (%s). It was reported: %s. %s What to try: %s."
                .formatted(
                        PlainText.quoted(subject.workflow(), Failure.LONGEST_NAME),
                        PlainText.quoted(subject.target(), LONGEST_TARGET),
                        time.map(Summary::after).orElse(""),
                        blame.task().map(task -> inTask(task, run)).orElse(""),
                        blame.step().map(Summary::step).orElse(""),
                        blame.ended().map(Summary::ending).orElse(""),
                        reason.story(),
                        reason,
                        PlainText.quoted(message, LONGEST_QUOTE),
                        consequence(started),
                        reason.advice());
    }

    private static String after(Duration time) {
        ChronoUnit unit = time.compareTo(Duration.ofSeconds(1)) < 0 ? ChronoUnit.MILLIS : ChronoUnit.SECONDS;
        return " after " + DurationText.format(time.truncatedTo(unit));
    }

    private static String inTask(TaskFacts task, RunFacts run) {
        long number = task.index() + 1L;
        String of = run.totalTasks()
                .filter(total -> total >= number)
                .map(total -> " of " + total)
                .orElse("");
        return " in task " + number + of + ", " + PlainText.quoted(task.name(), Failure.LONGEST_NAME);
    }

    private static String step(StepFacts step) {
        String role = switch (step.role()) {
            case STEP -> ", step ";
            case SIDECAR -> ", sidecar ";
            case SETUP -> ", set-up container ";
        };
        return role + PlainText.quoted(step.name(), Failure.LONGEST_NAME);
    }

    private static String ending(StepState.Terminated ended) {
        return ended.signal()
                .map(number -> ", killed by " + signal(number))
                .or(() -> ended.exitCode().map(code -> ", exit code " + code + meaning(code)))
                .orElse("");
    }

    /** What shells and container runtimes mean by these codes; a program may mean something else by them. */
    private static String meaning(int exitCode) {
        if (exitCode > 128 && exitCode < 128 + 65) {
            return " (as if killed by " + signal(exitCode - 128) + ")";
        }
        return switch (exitCode) {
            case 126 -> " (usually: not executable)";
            case 127 -> " (usually: command not found)";
            default -> "";
        };
    }

    private static String signal(int number) {
        return SIGNALS.getOrDefault(number, "signal " + number);
    }

    private static String consequence(Started started) {
        return switch (started) {
            case NO -> "No step had started, so nothing was changed.";
            case YES ->
                "A step had started, so the target may be changed in part: look at it before anything runs again.";
            case UNKNOWN ->
                "Whether a step had started is not known, which counts as having run: look at the target before anything"
                        + " runs again.";
        };
    }
}
