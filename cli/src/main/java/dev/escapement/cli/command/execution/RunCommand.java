package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionSuggestions;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = {
            "Creates an execution: a request to run a workflow on a target.",
            "",
            "The gate decides whether it runs. If another execution, a cooldown or a failure blocks the target,",
            "the execution is Skipped and its message has the reason. With --wait the command returns when the",
            "execution has finished, with the outcome as exit code; Ctrl-C ends the waiting, not the execution."
        },
        footer = {
            "  escapement run clean-disk node/worker-node-1 --wait",
            "  escapement run clean-disk node/worker-node-1 -p FILES=50 --timeout 5m",
            "  escapement run clean-disk node/worker-node-1 --on-conflict wait --wait-for 5m --wait",
            "  escapement run clean-disk node/worker-node-1 -o name",
            "  escapement run clean-disk node/worker-node-1 --image registry.example.com/clean-disk:2 --engine job"
        })
@ExitCodes.Documented({
    ExitCodes.NO,
    ExitCodes.FAILED_BEFORE_EXECUTION,
    ExitCodes.FAILED_DURING_EXECUTION,
    ExitCodes.NOT_FOUND,
    ExitCodes.CONFLICT,
    ExitCodes.INTERRUPTED
})
public final class RunCommand extends DocumentCommand {

    /** No vowels, so that no words arise; no characters that look alike. */
    private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int NAME_SUFFIX_LENGTH = 7;
    private static final int MAX_PREFIX_LENGTH = 50;
    private static final int MAX_NAME_ATTEMPTS = 10;

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "Id of the workflow: escapement get workflows")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "Target: namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "KEY=VALUE",
            description = "Parameter of the workflow; repeatable.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the execution. Default: the workflow's id and random letters")
    private Optional<String> name = Optional.empty();

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Limit for the run: 30s, 5m. Default: the timeout of the workflow")
    private Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--on-conflict",
            paramLabel = "skip|wait",
            description = "If the gate does not admit it now: skip it, or wait for what ends by itself. Default: skip")
    private Optional<String> onConflict = Optional.empty();

    @Option(
            names = "--wait-for",
            paramLabel = "DURATION",
            description = "With --on-conflict wait: how long it may wait, at most 24h. Default: 10m")
    private Optional<Duration> waitFor = Optional.empty();

    @Option(names = "--rationale", paramLabel = "TEXT", description = "Reason for the execution; it is recorded.")
    private Optional<String> rationale = Optional.empty();

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until it has finished, and show its progress.")
    private boolean wait;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "On a cluster: the Tekton bundle of the workflow, or the image of its Job.")
    private Optional<String> image = Optional.empty();

    @Option(names = "--digest", paramLabel = "DIGEST", description = "On a cluster: pins the image (sha256:…).")
    private Optional<String> digest = Optional.empty();

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "On a cluster: tekton or job. Default: the setting of the operator")
    private Optional<String> engine = Optional.empty();

    @Option(
            names = "--service-account",
            paramLabel = "NAME",
            description = "On a cluster: service account of the run, in the namespace of the runs.")
    private Optional<String> serviceAccount = Optional.empty();

    @Override
    protected int execute(ApiClient api) {
        ExecutionSubmission submission = submit(api);
        ExecutionView execution = submission.execution();
        if (wait) {
            return waitFor(api, execution);
        }
        String shortName = execution.shortName();
        print(execution.document(), execution.name(), () -> {
            terminal.printSafeLine("execution " + shortName + " "
                    + (submission.created() ? "created" : "already exists with the same spec"));
            terminal.printError("escapement describe execution " + ExecutionSuggestions.nameArguments(shortName));
        });
        return ExitCodes.OK;
    }

    /** Replaces a generated name that is taken: it belongs to another request, even with the same spec. */
    private ExecutionSubmission submit(ApiClient api) {
        if (name.isPresent()) {
            return ExecutionSubmission.submit(api, buildDocument(name.get()));
        }
        for (int attempt = 1; ; attempt++) {
            try {
                ExecutionSubmission submission = ExecutionSubmission.submit(api, buildDocument(generateName()));
                if (submission.created()) {
                    return submission;
                }
            } catch (ApiException failure) {
                if (!failure.is(ApiException.Kind.CONFLICT) || attempt == MAX_NAME_ATTEMPTS) {
                    throw failure;
                }
            }
        }
    }

    private ObjectNode buildDocument(String execution) {
        ObjectNode document =
                ExecutionSubmission.buildDocument(namespace.name(), execution, workflow, target, parameters);
        rationale.ifPresent(text -> document.withObject("/spec").put("rationale", text));
        timeout.ifPresent(time -> config(document).put("timeout", DurationText.format(time)));
        onConflict.ifPresent(mode -> document.withObject("/spec").put("onConflict", capitalize(mode)));
        waitFor.ifPresent(time -> document.withObject("/spec").put("waitFor", DurationText.format(time)));
        image.ifPresent(given -> document.withObject("/spec/workflowRef").put("containerImage", given));
        digest.ifPresent(given -> document.withObject("/spec/workflowRef").put("containerDigest", given));
        engine.ifPresent(given -> config(document).put("engine", given));
        serviceAccount.ifPresent(given -> config(document).put("serviceAccountName", given));
        return document;
    }

    /** The server refuses what is neither Skip nor Wait, with the permitted values. */
    private static String capitalize(String mode) {
        return mode.isEmpty() ? mode : mode.substring(0, 1).toUpperCase(Locale.ROOT) + mode.substring(1);
    }

    private static ObjectNode config(ObjectNode document) {
        return document.withObject("/spec/executionConfig");
    }

    /** The client generates the name, so that it can look up the execution after a lost response. */
    private String generateName() {
        String words = workflow.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String prefix = words.replaceAll("^-|-$", "");
        StringBuilder generated = new StringBuilder(prefix.substring(0, Math.min(MAX_PREFIX_LENGTH, prefix.length())))
                .append(prefix.isEmpty() ? "run-" : "-");
        for (int i = 0; i < NAME_SUFFIX_LENGTH; i++) {
            generated.append(NAME_LETTERS.charAt(context.random().nextInt(NAME_LETTERS.length())));
        }
        return generated.toString();
    }

    /** Waits, shows the progress, and returns the exit code for the outcome. */
    private int waitFor(ApiClient api, ExecutionView submitted) {
        String shortName = submitted.shortName();
        String interruptMessage =
                "stopped waiting; execution %1$s continues. State: escapement describe execution %2$s; output: escapement logs -f %2$s; to stop it: escapement cancel %2$s"
                        .formatted(shortName, ExecutionSuggestions.nameArguments(shortName));
        Optional<ExecutionView> finished;
        try (var line = new ProgressLine(context, output.isHumanReadable(), shortName, interruptMessage)) {
            line.show(submitted.phase());
            finished = new ExecutionFollower(api, submitted, line::show)
                    .follow(ConnectionOptions.createEventFeed(api, context));
        }
        if (finished.isEmpty()) {
            terminal.printError("execution %s was deleted before it finished".formatted(shortName));
            return ExitCodes.NOT_FOUND;
        }
        ExecutionView outcome = finished.get();
        print(outcome.document(), outcome.name(), () -> printOutcome(outcome));
        return switch (outcome.phase()) {
            case "Completed" -> ExitCodes.OK;
            case "Skipped" -> ExitCodes.NO;
            default ->
                outcome.failedDuringExecution() ? ExitCodes.FAILED_DURING_EXECUTION : ExitCodes.FAILED_BEFORE_EXECUTION;
        };
    }

    private void printOutcome(ExecutionView finished) {
        Instant now = now();
        String took = finished.duration(now)
                .map(time -> " after " + TimeFormat.formatDuration(time))
                .orElse("");
        String reason = finished.reason().isEmpty() ? "" : " (" + TerminalText.singleLine(finished.reason()) + ")";
        terminal.printLine(terminal.styled(TerminalStyle.ofPhase(finished.phase()), finished.phase())
                + reason
                + took
                + (finished.hasPhase("Completed") ? "" : ": " + TerminalText.singleLine(finished.message())));
        ExecutionSuggestions.commandsFor(finished, now)
                .forEach(step -> terminal.printLine("  " + TerminalText.singleLine(step)));
    }
}
