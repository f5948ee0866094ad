package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says why an endpoint runs when it runs. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "When does this endpoint run next, and why not sooner or later?",
            "",
            "One sentence a line: what decided, what moved it, what was not taken and by which rule, and what",
            "would have happened without hints. 'escapement runs ID' tells the same of a run that has been.",
            ""
        },
        footer = {"", "Example:", "  escapement endpoint explain health"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointExplainCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The endpoint: its name, or its id.")
    private String name = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointExplainCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        JsonNode answer = api.get(ApiPath.of("endpoints", name, "explain"));
        if (!output.printIfMachineReadable(answer, ClientJson.text(answer, "/endpoint"), terminal)) {
            ClientJson.text(answer, "/explanation")
                    .lines()
                    .forEach(line -> terminal.printLine(TerminalText.singleLine(line)));
        }
        return ExitCodes.OK;
    }
}
