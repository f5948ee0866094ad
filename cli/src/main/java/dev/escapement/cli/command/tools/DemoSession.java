package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.command.execution.ExecutionFollower;
import dev.escapement.cli.command.execution.ExecutionSubmission;
import dev.escapement.cli.output.ExecutionJsonView;
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
import java.util.function.Supplier;

/** What the scenes are played with: the server is asked as any client asks it, and what was promised is noted. */
final class DemoSession {

    private static final int MAX_LINE_LENGTH = 240;

    private final CommandContext context;
    private final Terminal terminal;
    private final ApiClient api;
    private final Supplier<EventFeed> eventFeeds;
    private final Instant startedAt;
    private final List<Expectation> expectations = new ArrayList<>();
    private int submittedCount;

    private record Expectation(String scene, String description, boolean met, String observed) {}

    private String scene = "";

    DemoSession(CommandContext surroundings, ApiClient api, Supplier<EventFeed> events) {
        this.context = surroundings;
        this.terminal = surroundings.terminal();
        this.api = api;
        this.eventFeeds = events;
        this.startedAt = surroundings.clock().instant();
    }

    /** Begins a scene. */
    void startScene(String title, String about) {
        scene = title;
        terminal.printLine("");
        terminal.printLine(terminal.styled(TerminalStyle.BOLD, title));
        printLine(about);
    }

    void printLine(String text) {
        terminal.printLine("  " + text);
        terminal.out().flush();
    }

    /** A command as somebody would type it. */
    void printCommand(String command) {
        terminal.printLine("  " + terminal.styled(TerminalStyle.ACTIVE, "$ escapement " + command));
    }

    /** Asks for an execution, under a name that says where it belongs. */
    ExecutionJsonView submit(String prefix, String workflow, String target, Map<String, String> parameters) {
        ObjectNode document = ClientJson.createObject()
                .put("apiVersion", "kubernaut.ai/v1alpha1")
                .put("kind", "WorkflowExecution");
        document.putObject("metadata").put("name", prefix + "-" + nextNumber()).put("namespace", "default");
        ObjectNode spec = document.putObject("spec");
        spec.putObject("workflowRef").put("workflowId", workflow);
        spec.put("targetResource", target);
        ObjectNode given = spec.putObject("parameters");
        parameters.forEach(given::put);
        return ExecutionSubmission.submit(api, document).execution();
    }

    private synchronized int nextNumber() {
        return ++submittedCount;
    }

    /** Waits until it has ended: for its events, not for a time. */
    ExecutionJsonView awaitOutcome(ExecutionJsonView execution) {
        ExecutionFollower companion = new ExecutionFollower(api, execution, progress -> {});
        eventFeeds.get().follow(companion);
        return companion.finishedExecution().orElse(execution);
    }

    /** Asks and waits, and shows both. */
    ExecutionJsonView runAndPrint(String prefix, String workflow, String target, Map<String, String> parameters) {
        StringBuilder command = new StringBuilder("run " + workflow + " " + target);
        parameters.forEach(
                (key, value) -> command.append(" -p ").append(key).append('=').append(value));
        printCommand(command + " --wait");
        ExecutionJsonView ended = awaitOutcome(submit(prefix, workflow, target, parameters));
        printResult(ended);
        return ended;
    }

    void printResult(ExecutionJsonView execution) {
        String took = execution
                .duration(context.clock().instant())
                .filter(time -> !execution.hasPhase("Skipped"))
                .map(time -> " after " + TimeFormat.formatDuration(time))
                .orElse("");
        String why = execution.reason().isEmpty() ? "" : " (" + execution.reason() + "): " + execution.message();
        printLine(terminal.styled(TerminalStyle.ofPhase(execution.phase()), execution.phase())
                + took
                + (why.isEmpty() ? "" : " " + TerminalText.singleLine(why, MAX_LINE_LENGTH)));
    }

    void clearTarget(String target, String reason) {
        printCommand("clear " + target + " --reason '" + reason + "'");
        api.post(
                ApiPath.of("targets", "clear"),
                ClientJson.createObject()
                        .put("target", target)
                        .put("by", "the demo")
                        .put("reason", reason));
    }

    /** Waits until a deadline that the server has stored. */
    void waitUntil(Instant deadline) {
        if (deadline.isAfter(now())) {
            printLine("waiting until " + TimeFormat.formatInstant(deadline, now())
                    + ", the time that is stored with the target");
        }
        try {
            for (Duration left = timeUntil(deadline);
                    !left.isNegative() && !left.isZero();
                    left = timeUntil(deadline)) {
                context.sleeper().sleep(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + deadline, interrupted);
        }
    }

    private Duration timeUntil(Instant deadline) {
        return Duration.between(context.clock().instant(), deadline);
    }

    Instant now() {
        return context.clock().instant();
    }

    /** Notes whether what was promised was seen. */
    void expect(String promise, boolean kept, String seen) {
        expectations.add(new Expectation(scene, promise, kept, seen));
    }

    /** Notes that the play could not go on. */
    void recordAbort(String why) {
        expectations.add(new Expectation(scene, "it goes on", false, why));
    }

    /** The table at the end; returns whether everything happened as promised. */
    boolean printReport() {
        terminal.printLine("");
        Table table = new Table(terminal, "SCENE", "PROMISE", "KEPT", "WHAT HAPPENED, AND WHY");
        for (Expectation row : expectations) {
            table.addRow(row.scene(), row.description(), Table.Cell.ofPhase(row.met() ? "yes" : "no"), row.observed());
        }
        table.print();
        boolean all = !expectations.isEmpty() && expectations.stream().allMatch(Expectation::met);
        terminal.printLine("");
        terminal.printLine(
                all
                        ? "All of it happened as promised, in "
                                + TimeFormat.formatDuration(Duration.between(startedAt, now())) + "."
                        : terminal.styled(TerminalStyle.FAILURE, "Not all of it happened as promised."));
        return all;
    }
}
