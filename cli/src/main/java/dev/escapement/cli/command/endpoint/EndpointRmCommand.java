package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointView;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code endpoint rm}. */
@Command(
        name = "rm",
        description = {
            "Archives endpoints: they never run again, and their names can be used again.",
            "",
            "A call in progress completes. The history stays until its retention ends."
        },
        footer = {
            "  escapement endpoint rm health",
            "  escapement endpoint get --all -o name | grep '^test-' | xargs escapement endpoint rm",
            "  escapement endpoint get --state archived"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointRmCommand extends EndpointClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the endpoints.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointRmCommand(CommandContext context) {
        super(context);
        this.actor = new ActorOption(context);
    }

    /** Continues after an endpoint that does not exist. */
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
                terminal.printError("escapement endpoint rm: " + String.join(" ", failure.problems()));
                exitCode = ExitCodes.NOT_FOUND;
            }
        }
        return exitCode;
    }

    private void archive(ApiClient api, String name) {
        var body = ClientJson.createObject().put("by", actor.name());
        EndpointView archived = EndpointView.of(api.delete(ApiPath.of("endpoints", name), body));
        if (!output.printIfMachineReadable(archived.document(), archived.name(), terminal)) {
            terminal.printSafeLine("endpoint %s archived; its runs: escapement runs --endpoint %s"
                    .formatted(archived.name(), archived.id()));
        }
    }
}
