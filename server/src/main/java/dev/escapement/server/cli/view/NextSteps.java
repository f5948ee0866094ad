package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a person may want to do about an execution: the commands, ready to type. */
public final class NextSteps {

    private NextSteps() {}

    /** Nothing for what went well. */
    public static List<String> of(ExecutionView execution, Instant now) {
        return switch (execution.phase()) {
            case "Pending", "Running" ->
                List.of(command("logs -f", execution), command("cancel", execution) + "    # stops it");
            case "Failed" -> execution.failedDuring() ? afterBreaking(execution) : afterNotStarting(execution, now);
            case "Skipped" -> afterSkipping(execution, now);
            default -> List.of();
        };
    }

    private static List<String> afterBreaking(ExecutionView execution) {
        List<String> steps = new ArrayList<>(List.of(command("logs", execution)));
        if (execution.text("/status/blockClearance/clearedBy").isEmpty()) {
            steps.add("%s may be half changed. Look at it, then let it be tried again:".formatted(execution.target()));
            steps.add(clear(execution.target()));
        }
        return steps;
    }

    private static List<String> afterNotStarting(ExecutionView execution, Instant now) {
        List<String> steps = new ArrayList<>(List.of("Nothing of it ran, so nothing is changed: remove the cause."));
        execution.nextAllowed().ifPresent(at -> steps.add("The target may be tried again " + when(at, now) + "."));
        steps.add(explain(execution));
        return steps;
    }

    private static List<String> afterSkipping(ExecutionView execution, Instant now) {
        List<String> steps = new ArrayList<>();
        switch (execution.reason()) {
            case "ResourceBusy" -> {
                if (!execution.conflicting().isEmpty()) {
                    steps.add("escapement describe execution " + qualified(execution.conflicting())
                            + "    # holds the target");
                }
            }
            case "PreviousExecutionFailed", "ExhaustedRetries" -> {
                steps.add("escapement describe target " + Shell.word(execution.target()) + "    # says what happened");
                steps.add(clear(execution.target()));
            }
            default -> execution.nextAllowed().ifPresent(at -> steps.add("It may run again " + when(at, now) + "."));
        }
        steps.add(explain(execution));
        return steps;
    }

    static String clear(String target) {
        return "escapement clear " + Shell.word(target) + " --reason '…'";
    }

    private static String explain(ExecutionView execution) {
        return "escapement explain %s %s    # would it run now?"
                .formatted(Shell.word(execution.workflow()), Shell.word(execution.target()));
    }

    private static String command(String verb, ExecutionView execution) {
        return "escapement " + verb + " " + qualified(execution.shortName());
    }

    /** As an argument and, where it is not the usual one, an option. */
    public static String qualified(String shortName) {
        int slash = shortName.indexOf('/');
        return slash < 0
                ? Shell.word(shortName)
                : Shell.word(shortName.substring(slash + 1)) + " -n " + Shell.word(shortName.substring(0, slash));
    }

    private static String when(Instant at, Instant now) {
        return Optional.of(at)
                .filter(now::isBefore)
                .map(later -> "at " + Times.at(later, now))
                .orElse("now");
    }
}
