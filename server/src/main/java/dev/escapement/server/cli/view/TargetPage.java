package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a person wants to know about one target: who holds it, what is in the way, until when, and what to do. */
public final class TargetPage {

    private final Terminal terminal;
    private final Instant now;

    public TargetPage(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /**
     * Prints it.
     *
     * @param executions the last ones on it, the newest first
     */
    public void print(TargetView target, List<ExecutionView> executions) {
        new Facts(terminal)
                .add("Target", target.target())
                .add("Object", target.objectName())
                .add("State", target.state(), Tone.of(target.state()))
                .add("Held by", held(target))
                .add("Failures", failures(target))
                .add(
                        "Next allowed",
                        target.nextAllowed().map(at -> Times.at(at, now)).orElse(""))
                .add("Epoch", target.epoch())
                .section("Remembered", remembered(target))
                .section("Cleared", cleared(target))
                .section("Last executions", executions.stream().map(this::line).toList())
                .section("Next", next(target))
                .print();
    }

    /** A target that nobody has touched lately has no entry; that is not an error. */
    public void printUnknown(String target, List<ExecutionView> executions) {
        new Facts(terminal)
                .add("Target", target)
                .add("State", "Free", Tone.GOOD)
                .section("Remembered", List.of("nothing: no execution holds it, none failed, none completed just now"))
                .section("Last executions", executions.stream().map(this::line).toList())
                .print();
    }

    private String line(ExecutionView execution) {
        String reason = execution.reason().isEmpty() ? "" : " (" + execution.reason() + ")";
        return "%s of %s: %s%s%s"
                .formatted(
                        execution.shortName(),
                        execution.workflow(),
                        execution.phase(),
                        reason,
                        execution
                                .createdAt()
                                .map(at -> ", asked for " + Times.at(at, now))
                                .orElse(""));
    }

    private String held(TargetView target) {
        return target.holder().isEmpty()
                ? ""
                : "%s (workflow %s), since %s"
                        .formatted(
                                target.holder(),
                                target.holderWorkflow(),
                                target.heldSince().map(at -> Times.at(at, now)).orElse("?"));
    }

    private static String failures(TargetView target) {
        return target.failures().isEmpty() ? "" : target.failures() + " in a row could not start";
    }

    private List<String> remembered(TargetView target) {
        List<String> lines = new ArrayList<>();
        for (JsonNode workflow : target.workflows()) {
            String id = Json.text(workflow, "/workflowId");
            past(workflow.path("block")).ifPresent(text -> lines.add(id + " broke: " + text));
            past(workflow.at("/retry/last")).ifPresent(text -> lines.add(id + " could not start: " + text));
            past(workflow.path("completed")).ifPresent(text -> lines.add(id + " completed: " + text));
        }
        return lines;
    }

    private Optional<String> past(JsonNode past) {
        if (!past.isObject()) {
            return Optional.empty();
        }
        String reason = Json.text(past, "/reason");
        return Optional.of(TargetView.execution(past)
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + Json.instant(past, "/completedAt")
                        .map(at -> ", " + Times.at(at, now))
                        .orElse(""));
    }

    private List<String> cleared(TargetView target) {
        JsonNode clearance = target.document().at("/status/clearance");
        return clearance.isObject()
                ? List.of("by %s, %s: %s"
                        .formatted(
                                Json.text(clearance, "/clearedBy"),
                                Json.instant(clearance, "/clearedAt")
                                        .map(at -> Times.at(at, now))
                                        .orElse("?"),
                                Json.text(clearance, "/clearReason")))
                : List.of();
    }

    private List<String> next(TargetView target) {
        List<String> steps = new ArrayList<>();
        if (!target.holder().isEmpty()) {
            steps.add("escapement describe execution " + NextSteps.qualified(target.holder()));
        }
        for (JsonNode block : target.blocks()) {
            steps.add("escapement logs " + NextSteps.qualified(TargetView.execution(block))
                    + "    # what it did before it broke");
        }
        if (!target.blocks().isEmpty() || !target.failures().isEmpty()) {
            steps.add(NextSteps.clear(target.target()) + "    # when the cause is gone");
        }
        steps.add("escapement explain WORKFLOW " + Shell.word(target.target()) + "    # would it run now?");
        return steps;
    }
}
