package dev.escapement.cli.command.tools;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.execution.ExecutionFollower;
import dev.escapement.cli.command.execution.ExecutionSubmission;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends the demo's requests to the server, prints commands and results, and collects expectations. */
final class DemoSession {

    private static final int MAX_LINE_LENGTH = 240;

    private final CommandContext context;
    private final Terminal terminal;
    private final ApiClient api;
    private final Instant startedAt;
    private final Table report;
    private final List<Boolean> expectations = new ArrayList<>();
    private final AtomicInteger submittedCount = new AtomicInteger();
    private String scene = "";

    DemoSession(CommandContext context, ApiClient api) {
        this.context = context;
        this.terminal = context.terminal();
        this.api = api;
        this.report = new Table(terminal, "SCENE", "EXPECTED", "MET", "OBSERVED");
        this.startedAt = context.clock().instant();
    }

    void startScene(String title, String introduction) {
        scene = title;
        terminal.printLine("");
        terminal.printLine(terminal.styled(TerminalStyle.BOLD, title));
        printLine(introduction);
    }

    void printLine(String text) {
        terminal.printLine("  " + text);
        terminal.out().flush();
    }

    void printCommand(String command) {
        terminal.printLine("  " + terminal.styled(TerminalStyle.ACTIVE, "$ escapement " + command));
    }

    ExecutionView submit(String prefix, String workflow, String target, Map<String, String> parameters) {
        String name = prefix + "-" + submittedCount.incrementAndGet();
        var document = ExecutionSubmission.buildDocument("default", name, workflow, target, parameters);
        return ExecutionSubmission.submit(api, document).execution();
    }

    /** Returns the execution after it has finished. */
    ExecutionView awaitOutcome(ExecutionView execution) {
        return new ExecutionFollower(api, execution, progress -> {})
                .follow(ConnectionOptions.createEventFeed(api, context))
                .orElse(execution);
    }

    /** Prints the command, submits the execution, waits, and prints the outcome. */
    ExecutionView runAndPrint(String prefix, String workflow, String target) {
        printCommand("run " + workflow + " " + target + " --wait");
        ExecutionView ended = awaitOutcome(submit(prefix, workflow, target, Map.of()));
        printResult(ended);
        return ended;
    }

    void printResult(ExecutionView execution) {
        String took = execution
                .duration(now())
                .filter(time -> !execution.hasPhase("Skipped"))
                .map(time -> " after " + TimeFormat.formatDuration(time))
                .orElse("");
        String reason = execution.reason().isEmpty() ? "" : " (" + execution.reason() + "): " + execution.message();
        printLine(terminal.styled(TerminalStyle.ofPhase(execution.phase()), execution.phase())
                + took
                + (reason.isEmpty() ? "" : " " + TerminalText.singleLine(reason, MAX_LINE_LENGTH)));
    }

    void clearTarget(String target, String reason) {
        printCommand("clear " + target + " --reason '" + reason + "'");
        api.post(ApiPath.of("targets", "clear"), Map.of("target", target, "by", "the demo", "reason", reason));
    }

    /** Waits until a time that the server has computed. */
    void waitUntil(Instant deadline) {
        if (deadline.isAfter(now())) {
            String time = TimeFormat.formatInstant(deadline, now());
            printLine("waiting until " + time + ", the next allowed time of the target");
        }
        while (deadline.isAfter(now())) {
            context.sleeper().sleepOrFail(Duration.between(now(), deadline), "waiting until " + deadline);
        }
    }

    Instant now() {
        return context.clock().instant();
    }

    void expect(String description, boolean met, String observed) {
        expectations.add(met);
        report.addRow(scene, description, Table.Cell.ofPhase(met ? "yes" : "no"), observed);
    }

    /** Prints all expectations; returns whether all were met. */
    boolean printReport() {
        terminal.printLine("");
        report.print();
        boolean all = !expectations.isEmpty() && !expectations.contains(false);
        terminal.printLine("");
        String took = TimeFormat.formatDuration(Duration.between(startedAt, now()));
        String failure = terminal.styled(TerminalStyle.FAILURE, "Not all results were as expected.");
        terminal.printLine(all ? "All results were as expected, in " + took + "." : failure);
        return all;
    }
}
