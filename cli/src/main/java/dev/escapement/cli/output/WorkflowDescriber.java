package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Shows workflows of the catalogue to people: many as a table, one with its parameters and tasks. */
public final class WorkflowDescriber {

    private WorkflowDescriber() {}

    public static String id(JsonNode workflow) {
        return ClientJson.text(workflow, "/id");
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<JsonNode> workflows) {
        return new Table.Columns<JsonNode>(wide)
                .add("ID", WorkflowDescriber::id)
                .add("VERSION", workflow -> ClientJson.text(workflow, "/version"))
                .add("TASKS", workflow -> workflow.path("tasks").size())
                .add("PARAMETERS", WorkflowDescriber::parameterNames)
                .add("DESCRIPTION", workflow -> ClientJson.text(workflow, "/description"))
                .build(terminal, workflows);
    }

    /** A star marks a required parameter. */
    private static String parameterNames(JsonNode workflow) {
        return workflow.path("parameters")
                .valueStream()
                .map(parameter -> ClientJson.text(parameter, "/name") + (isRequired(parameter) ? "*" : ""))
                .collect(Collectors.joining(","));
    }

    public static void print(JsonNode workflow, Terminal terminal) {
        new FieldList(terminal)
                .add("Workflow", id(workflow))
                .add("Version", ClientJson.text(workflow, "/version"))
                .add("Description", ClientJson.text(workflow, "/description"))
                .add("Timeout", ClientJson.text(workflow, "/timeout"))
                .addSection(
                        "Parameters",
                        workflow.path("parameters")
                                .valueStream()
                                .map(WorkflowDescriber::parameterLine)
                                .toList())
                .addSection(
                        "Tasks",
                        workflow.path("tasks")
                                .valueStream()
                                .map(WorkflowDescriber::taskLine)
                                .toList())
                .addSection("Try", List.of(exampleCommand(workflow)))
                .print();
    }

    private static String taskLine(JsonNode task) {
        return ClientJson.text(task, "/name") + ": "
                + task.path("command")
                        .valueStream()
                        .map(word -> TerminalText.shellQuote(word.asText()))
                        .collect(Collectors.joining(" "));
    }

    private static String exampleCommand(JsonNode workflow) {
        String parameters = workflow.path("parameters")
                .valueStream()
                .filter(WorkflowDescriber::isRequired)
                .map(parameter -> " -p " + TerminalText.shellQuote(ClientJson.text(parameter, "/name")) + "=…")
                .collect(Collectors.joining());
        return "escapement run " + TerminalText.shellQuote(id(workflow)) + " TARGET" + parameters + " --wait";
    }

    private static boolean isRequired(JsonNode parameter) {
        return parameter.path("required").asBoolean();
    }

    private static String parameterLine(JsonNode parameter) {
        String fallback = ClientJson.text(parameter, "/default");
        String value = isRequired(parameter) ? "required" : fallback.isEmpty() ? "optional" : "default " + fallback;
        String description = ClientJson.text(parameter, "/description");
        return "%s (%s, %s)".formatted(ClientJson.text(parameter, "/name"), ClientJson.text(parameter, "/type"), value)
                + (description.isEmpty() ? "" : ": " + description);
    }
}
