package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A workflow of the catalogue with names for its parts.
 *
 * @param document as the server sent it
 */
public record WorkflowView(JsonNode document) {

    public String id() {
        return Json.text(document, "/id");
    }

    /** One per row. */
    public static Table table(Terminal terminal, List<WorkflowView> workflows) {
        Table table = new Table(terminal, "ID", "VERSION", "TASKS", "PARAMETERS", "DESCRIPTION");
        for (WorkflowView workflow : workflows) {
            table.row(
                    workflow.id(),
                    Json.text(workflow.document, "/version"),
                    Integer.toString(workflow.document.path("tasks").size()),
                    workflow.parameters().stream().map(WorkflowView::brief).collect(Collectors.joining(",")),
                    Json.text(workflow.document, "/description"));
        }
        return table;
    }

    /** All about it. */
    public void print(Terminal terminal) {
        List<String> tasks = new ArrayList<>();
        for (JsonNode task : document.path("tasks")) {
            List<String> words = new ArrayList<>();
            task.path("command").forEach(word -> words.add(Shell.word(word.asText())));
            tasks.add(Json.text(task, "/name") + ": " + String.join(" ", words));
        }
        new Facts(terminal)
                .add("Workflow", id())
                .add("Version", Json.text(document, "/version"))
                .add("Description", Json.text(document, "/description"))
                .add("Timeout", Json.text(document, "/timeout"))
                .section(
                        "Parameters",
                        parameters().stream().map(WorkflowView::line).toList())
                .section("Tasks", tasks)
                .section("Try", List.of(example()))
                .print();
    }

    private String example() {
        String given = parameters().stream()
                .filter(parameter -> parameter.path("required").asBoolean())
                .map(parameter -> " -p " + Shell.word(Json.text(parameter, "/name")) + "=…")
                .collect(Collectors.joining());
        return "escapement run " + Shell.word(id()) + " TARGET" + given + " --wait";
    }

    private List<JsonNode> parameters() {
        List<JsonNode> parameters = new ArrayList<>();
        document.path("parameters").forEach(parameters::add);
        return parameters;
    }

    /** A star marks what must be given. */
    private static String brief(JsonNode parameter) {
        return Json.text(parameter, "/name") + (parameter.path("required").asBoolean() ? "*" : "");
    }

    private static String line(JsonNode parameter) {
        String fallback = Json.text(parameter, "/default");
        String value = parameter.path("required").asBoolean()
                ? "required"
                : fallback.isEmpty() ? "optional" : "default " + fallback;
        String description = Json.text(parameter, "/description");
        return "%s (%s, %s)%s"
                .formatted(
                        Json.text(parameter, "/name"),
                        Json.text(parameter, "/type"),
                        value,
                        description.isEmpty() ? "" : ": " + description);
    }
}
