package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.EndpointView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointRmCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "The endpoints.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final By by;

    @Mixin
    private final Output output = new Output();

    EndpointRmCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    /** One that is not there keeps no other from being archived. */
    @Override
    int ask(ApiClient api) {
        int exitCode = ExitCodes.OK;
        for (String name : names) {
            try {
                archive(api, name);
            } catch (ApiFailure failure) {
                if (!failure.is(ApiFailure.Kind.NOT_FOUND)) {
                    throw failure;
                }
                terminal.err().println("escapement endpoint rm: " + String.join(" ", failure.problems()));
                exitCode = ExitCodes.NOT_FOUND;
            }
        }
        return exitCode;
    }

    private void archive(ApiClient api, String name) {
        EndpointView gone = new EndpointView(
                api.delete(Resource.of("endpoints", name), Json.object().put("by", by.name())));
        if (!output.print(gone.document(), gone.name(), terminal)) {
            terminal.line(Printable.line(
                    "endpoint %s archived; its runs: escapement runs --endpoint %s".formatted(gone.name(), gone.id())));
        }
    }
}
