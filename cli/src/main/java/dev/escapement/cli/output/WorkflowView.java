package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.api.workflow.CatalogueWorkflow.Parameter;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A workflow of the catalogue, and what commands show of it: many as a table, one with its parameters and tasks.
 *
 * @param document as the server sent it, with the fields that this version does not know
 */
public record WorkflowView(JsonNode document, CatalogueWorkflow workflow) {

    public static WorkflowView of(JsonNode document) {
        return new WorkflowView(document, ClientJson.read(document, CatalogueWorkflow.class));
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<WorkflowView> workflows) {
        return new Table.Columns<WorkflowView>(wide)
                .add("ID", WorkflowView::id)
                .add("VERSION", view -> text(view.workflow.version()))
                .add("TASKS", view -> view.workflow.tasks().size())
                .add("PARAMETERS", WorkflowView::parameterNames)
                .add("DESCRIPTION", view -> text(view.workflow.description()))
                .build(terminal, workflows);
    }

    public String id() {
        return text(workflow.id());
    }

    /** Prints all about the workflow, and how to run it. */
    public void print(Terminal terminal) {
        new FieldList(terminal)
                .add("Workflow", id())
                .add("Version", text(workflow.version()))
                .add("Description", text(workflow.description()))
                .add("Timeout", text(workflow.timeout()))
                .addSection(
                        "Parameters",
                        workflow.parameters().stream()
                                .map(WorkflowView::parameterLine)
                                .toList())
                .addSection(
                        "Tasks",
                        workflow.tasks().stream().map(WorkflowView::taskLine).toList())
                .addSection("Try", List.of(exampleCommand()))
                .print();
    }

    /** A star marks a required parameter. */
    private String parameterNames() {
        return workflow.parameters().stream()
                .map(parameter -> text(parameter.name()) + (isRequired(parameter) ? "*" : ""))
                .collect(Collectors.joining(","));
    }

    private static boolean isRequired(Parameter parameter) {
        return Boolean.TRUE.equals(parameter.required());
    }

    private static String parameterLine(Parameter parameter) {
        String fallback = text(parameter.defaultValue());
        String value = isRequired(parameter) ? "required" : fallback.isEmpty() ? "optional" : "default " + fallback;
        String description = text(parameter.description());
        return "%s (%s, %s)".formatted(text(parameter.name()), text(parameter.type()), value)
                + (description.isEmpty() ? "" : ": " + description);
    }

    private static String taskLine(CatalogueWorkflow.Task task) {
        return text(task.name()) + ": "
                + task.command().stream().map(TerminalText::shellQuote).collect(Collectors.joining(" "));
    }

    private String exampleCommand() {
        String parameters = workflow.parameters().stream()
                .filter(WorkflowView::isRequired)
                .map(parameter -> " -p " + TerminalText.shellQuote(text(parameter.name())) + "=…")
                .collect(Collectors.joining());
        return "escapement run " + TerminalText.shellQuote(id()) + " TARGET" + parameters + " --wait";
    }
}
