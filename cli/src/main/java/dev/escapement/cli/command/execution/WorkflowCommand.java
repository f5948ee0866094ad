package dev.escapement.cli.command.execution;

import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.output.FieldList;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands that show workflows of the catalogue: many as a table, one with its parameters and tasks. */
public abstract class WorkflowCommand extends DocumentCommand {

    @Command(
            name = "workflows",
            aliases = "workflow",
            description = {
                "Lists the workflows of the server and the workflow files that are invalid, or shows one workflow.",
                "",
                "A star marks a required parameter."
            },
            footer = {"  escapement get workflows", "  escapement describe workflow clean-disk"})
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    public static final class GetWorkflowsCommand extends WorkflowCommand {

        @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this workflow.")
        private Optional<String> id = Optional.empty();

        @Override
        protected int execute(ApiClient api) {
            ResourcePrinter<JsonNode> printer = new ResourcePrinter<>(
                    context, output, workflow -> workflow, WorkflowCommand::id, GetWorkflowsCommand::buildTable);
            if (id.isPresent()) {
                printer.printOne(api.get(ApiPath.of("workflows", id.get())));
                return ExitCodes.OK;
            }
            JsonNode response = api.get(ApiPath.of("workflows"));
            printer.printList(response.path("items").valueStream().toList(), response, Optional.empty());
            if (response.has("note")) {
                terminal.printError(text(response, "/note"));
            }
            for (JsonNode problem : response.path("problems")) {
                terminal.printError(
                        "invalid workflow file %s: %s".formatted(text(problem, "/file"), text(problem, "/message")));
            }
            return ExitCodes.OK;
        }

        static Table buildTable(Terminal terminal, boolean wide, Instant now, List<JsonNode> workflows) {
            return new Table.Columns<JsonNode>(wide)
                    .add("ID", WorkflowCommand::id)
                    .add("VERSION", workflow -> text(workflow, "/version"))
                    .add("TASKS", workflow -> workflow.path("tasks").size())
                    .add("PARAMETERS", GetWorkflowsCommand::parameterNames)
                    .add("DESCRIPTION", workflow -> text(workflow, "/description"))
                    .build(terminal, workflows);
        }

        /** A star marks a required parameter. */
        private static String parameterNames(JsonNode workflow) {
            return workflow.path("parameters")
                    .valueStream()
                    .map(parameter -> text(parameter, "/name") + (isRequired(parameter) ? "*" : ""))
                    .collect(Collectors.joining(","));
        }
    }

    @Command(
            name = "workflow",
            aliases = "workflows",
            description = "Shows the tasks and parameters of a workflow, and how to run it.",
            footer = "  escapement describe workflow clean-disk")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    public static final class DescribeWorkflowCommand extends WorkflowCommand {

        @Parameters(paramLabel = "ID", description = "Id of the workflow.")
        private String id = "";

        @Override
        protected int execute(ApiClient api) {
            JsonNode workflow = api.get(ApiPath.of("workflows", id));
            print(workflow, id(workflow), () -> print(workflow));
            return ExitCodes.OK;
        }

        private void print(JsonNode workflow) {
            new FieldList(terminal)
                    .add("Workflow", id(workflow))
                    .add("Version", text(workflow, "/version"))
                    .add("Description", text(workflow, "/description"))
                    .add("Timeout", text(workflow, "/timeout"))
                    .addSection(
                            "Parameters",
                            workflow.path("parameters")
                                    .valueStream()
                                    .map(DescribeWorkflowCommand::parameterLine)
                                    .toList())
                    .addSection(
                            "Tasks",
                            workflow.path("tasks")
                                    .valueStream()
                                    .map(DescribeWorkflowCommand::taskLine)
                                    .toList())
                    .addSection("Try", List.of(exampleCommand(workflow)))
                    .print();
        }

        private static String taskLine(JsonNode task) {
            return text(task, "/name") + ": "
                    + task.path("command")
                            .valueStream()
                            .map(word -> TerminalText.shellQuote(word.asText()))
                            .collect(Collectors.joining(" "));
        }

        private static String exampleCommand(JsonNode workflow) {
            String parameters = workflow.path("parameters")
                    .valueStream()
                    .filter(WorkflowCommand::isRequired)
                    .map(parameter -> " -p " + TerminalText.shellQuote(text(parameter, "/name")) + "=…")
                    .collect(Collectors.joining());
            return "escapement run " + TerminalText.shellQuote(id(workflow)) + " TARGET" + parameters + " --wait";
        }

        private static String parameterLine(JsonNode parameter) {
            String fallback = text(parameter, "/default");
            String value = isRequired(parameter) ? "required" : fallback.isEmpty() ? "optional" : "default " + fallback;
            String description = text(parameter, "/description");
            return "%s (%s, %s)".formatted(text(parameter, "/name"), text(parameter, "/type"), value)
                    + (description.isEmpty() ? "" : ": " + description);
        }
    }

    private static String id(JsonNode workflow) {
        return text(workflow, "/id");
    }

    private static boolean isRequired(JsonNode parameter) {
        return parameter.path("required").asBoolean();
    }
}
