package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.terminal.TerminalText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Archives endpoints. */
@Command(
        name = "rm",
        sortOptions = false,
        description = {
            "Archives endpoints: they never run again, their names are free, their history stays for a while.",
            "",
            "A run that is going on ends as it would have.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint rm health",
            "  escapement endpoint get --all -o name | grep '^test-' | xargs escapement endpoint rm",
            "  escapement endpoint get --state archived"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointRmCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "The endpoints.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointRmCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    /** One that is not there keeps no other from being archived. */
    @Override
    protected int execute(ApiClient api) {
        int exitCode = ExitCodes.OK;
        for (String name : names) {
            try {
                archive(api, name);
            } catch (ApiException failure) {
                if (!failure.is(ApiException.Kind.NOT_FOUND)) {
                    throw failure;
                }
                terminal.err().println("escapement endpoint rm: " + String.join(" ", failure.problems()));
                exitCode = ExitCodes.NOT_FOUND;
            }
        }
        return exitCode;
    }

    private void archive(ApiClient api, String name) {
        EndpointJsonView gone = new EndpointJsonView(api.delete(
                ApiPath.of("endpoints", name), ClientJson.createObject().put("by", actor.name())));
        if (!output.printIfMachineReadable(gone.document(), gone.name(), terminal)) {
            terminal.printLine(TerminalText.singleLine(
                    "endpoint %s archived; its runs: escapement runs --endpoint %s".formatted(gone.name(), gone.id())));
        }
    }
}
