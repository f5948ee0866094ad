package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A workflow of the catalogue with names for its parts.
 *
 * @param document as the server sent it
 */
public record WorkflowJsonView(JsonNode document) {

    public String id() {
        return ClientJson.text(document, "/id");
    }

    /** One per row. */
    public static Table buildTable(Terminal terminal, List<WorkflowJsonView> workflows) {
        Table table = new Table(terminal, "ID", "VERSION", "TASKS", "PARAMETERS", "DESCRIPTION");
        for (WorkflowJsonView workflow : workflows) {
            table.addRow(
                    workflow.id(),
                    ClientJson.text(workflow.document, "/version"),
                    Integer.toString(workflow.document.path("tasks").size()),
                    workflow.parameters().stream()
                            .map(WorkflowJsonView::parameterName)
                            .collect(Collectors.joining(",")),
                    ClientJson.text(workflow.document, "/description"));
        }
        return table;
    }

    /** All about it. */
    public void print(Terminal terminal) {
        List<String> tasks = new ArrayList<>();
        for (JsonNode task : document.path("tasks")) {
            List<String> words = new ArrayList<>();
            task.path("command").forEach(word -> words.add(ShellQuoting.quote(word.asText())));
            tasks.add(ClientJson.text(task, "/name") + ": " + String.join(" ", words));
        }
        new FieldList(terminal)
                .add("Workflow", id())
                .add("Version", ClientJson.text(document, "/version"))
                .add("Description", ClientJson.text(document, "/description"))
                .add("Timeout", ClientJson.text(document, "/timeout"))
                .addSection(
                        "Parameters",
                        parameters().stream()
                                .map(WorkflowJsonView::parameterLine)
                                .toList())
                .addSection("Tasks", tasks)
                .addSection("Try", List.of(exampleCommand()))
                .print();
    }

    private String exampleCommand() {
        String given = parameters().stream()
                .filter(parameter -> parameter.path("required").asBoolean())
                .map(parameter -> " -p " + ShellQuoting.quote(ClientJson.text(parameter, "/name")) + "=…")
                .collect(Collectors.joining());
        return "escapement run " + ShellQuoting.quote(id()) + " TARGET" + given + " --wait";
    }

    private List<JsonNode> parameters() {
        List<JsonNode> parameters = new ArrayList<>();
        document.path("parameters").forEach(parameters::add);
        return parameters;
    }

    /** A star marks what must be given. */
    private static String parameterName(JsonNode parameter) {
        return ClientJson.text(parameter, "/name") + (parameter.path("required").asBoolean() ? "*" : "");
    }

    private static String parameterLine(JsonNode parameter) {
        String fallback = ClientJson.text(parameter, "/default");
        String value = parameter.path("required").asBoolean()
                ? "required"
                : fallback.isEmpty() ? "optional" : "default " + fallback;
        String description = ClientJson.text(parameter, "/description");
        return "%s (%s, %s)%s"
                .formatted(
                        ClientJson.text(parameter, "/name"),
                        ClientJson.text(parameter, "/type"),
                        value,
                        description.isEmpty() ? "" : ": " + description);
    }
}
