package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.cli.view.ExecutionView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the scenes are played with: the server is asked as any client asks it, and what was promised is noted. */
final class DemoStage {

    private static final int LONGEST_LINE = 240;

    private final Surroundings surroundings;
    private final Terminal terminal;
    private final ApiClient api;
    private final Supplier<EventFeed> events;
    private final Instant began;
    private final List<Row> rows = new ArrayList<>();
    private int asked;

    private record Row(String scene, String promise, boolean kept, String seen) {}

    private String scene = "";

    DemoStage(Surroundings surroundings, ApiClient api, Supplier<EventFeed> events) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
        this.api = api;
        this.events = events;
        this.began = surroundings.clock().instant();
    }

    /** Begins a scene. */
    void scene(String title, String about) {
        scene = title;
        terminal.line("");
        terminal.line(terminal.in(Tone.STRONG, title));
        say(about);
    }

    void say(String text) {
        terminal.line("  " + text);
        terminal.out().flush();
    }

    /** A command as somebody would type it. */
    void type(String command) {
        terminal.line("  " + terminal.in(Tone.ACTIVE, "$ escapement " + command));
    }

    /** Asks for an execution, under a name that says where it belongs. */
    ExecutionView ask(String prefix, String workflow, String target, Map<String, String> parameters) {
        ObjectNode document =
                Json.object().put("apiVersion", "kubernaut.ai/v1alpha1").put("kind", "WorkflowExecution");
        document.putObject("metadata").put("name", prefix + "-" + next()).put("namespace", "default");
        ObjectNode spec = document.putObject("spec");
        spec.putObject("workflowRef").put("workflowId", workflow);
        spec.put("targetResource", target);
        ObjectNode given = spec.putObject("parameters");
        parameters.forEach(given::put);
        return Submission.send(api, document).execution();
    }

    private synchronized int next() {
        return ++asked;
    }

    /** Waits until it has ended: for its events, not for a time. */
    ExecutionView outcome(ExecutionView execution) {
        Companion companion = new Companion(api, execution, progress -> {});
        events.get().follow(companion);
        return companion.ended().orElse(execution);
    }

    /** Asks and waits, and shows both. */
    ExecutionView run(String prefix, String workflow, String target, Map<String, String> parameters) {
        StringBuilder command = new StringBuilder("run " + workflow + " " + target);
        parameters.forEach(
                (key, value) -> command.append(" -p ").append(key).append('=').append(value));
        type(command + " --wait");
        ExecutionView ended = outcome(ask(prefix, workflow, target, parameters));
        show(ended);
        return ended;
    }

    void show(ExecutionView execution) {
        String took = execution
                .duration(surroundings.clock().instant())
                .filter(time -> !execution.is("Skipped"))
                .map(time -> " after " + Times.about(time))
                .orElse("");
        String why = execution.reason().isEmpty() ? "" : " (" + execution.reason() + "): " + execution.message();
        say(terminal.in(Tone.of(execution.phase()), execution.phase())
                + took
                + (why.isEmpty() ? "" : " " + Printable.line(why, LONGEST_LINE)));
    }

    void clear(String target, String reason) {
        type("clear " + target + " --reason '" + reason + "'");
        api.post(
                Resource.of("targets", "clear"),
                Json.object().put("target", target).put("by", "the demo").put("reason", reason));
    }

    /** Waits until a deadline that the server has stored. */
    void until(Instant deadline) {
        if (deadline.isAfter(now())) {
            say("waiting until " + Times.at(deadline, now()) + ", the time that is stored with the target");
        }
        try {
            for (Duration left = left(deadline); !left.isNegative() && !left.isZero(); left = left(deadline)) {
                surroundings.pause().of(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + deadline, interrupted);
        }
    }

    private Duration left(Instant deadline) {
        return Duration.between(surroundings.clock().instant(), deadline);
    }

    Instant now() {
        return surroundings.clock().instant();
    }

    /** Notes whether what was promised was seen. */
    void expect(String promise, boolean kept, String seen) {
        rows.add(new Row(scene, promise, kept, seen));
    }

    /** Notes that the play could not go on. */
    void broke(String why) {
        rows.add(new Row(scene, "it goes on", false, why));
    }

    /** The table at the end; returns whether everything happened as promised. */
    boolean end() {
        terminal.line("");
        Table table = new Table(terminal, "SCENE", "PROMISE", "KEPT", "WHAT HAPPENED, AND WHY");
        for (Row row : rows) {
            table.row(row.scene(), row.promise(), Table.Cell.of(row.kept() ? "yes" : "no"), row.seen());
        }
        table.print();
        boolean all = !rows.isEmpty() && rows.stream().allMatch(Row::kept);
        terminal.line("");
        terminal.line(
                all
                        ? "All of it happened as promised, in " + Times.about(Duration.between(began, now())) + "."
                        : terminal.in(Tone.BAD, "Not all of it happened as promised."));
        return all;
    }
}
