package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.output.EndpointView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
final class EndpointRmCommand extends ActionCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the endpoints.")
    private List<String> names = new ArrayList<>();

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
        var archived = EndpointView.of(api.delete(ApiPath.of("endpoints", name), Map.of("by", actorName())));
        print(
                archived.document(),
                archived.name(),
                "endpoint %s archived; its runs: escapement runs --endpoint %s"
                        .formatted(archived.name(), archived.id()));
    }
}
