package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.view.ExecutionPage;
import dev.escapement.server.cli.view.ExecutionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells all about one execution. */
@Command(
        name = "execution",
        aliases = {"executions", "wfe"},
        sortOptions = false,
        description = {"Tells what became of an execution, why, and what to do now.", ""},
        footer = {"", "Example:", "  escapement describe execution clean-disk-7k2m9xb"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class DescribeExecutionCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The execution.")
    private String name = "";

    @Mixin
    private final Namespace namespace = new Namespace();

    @Mixin
    private final Output output = new Output();

    DescribeExecutionCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        ExecutionView execution = new ExecutionView(api.get(namespace.execution(name)));
        if (!output.print(execution.document(), execution.name(), terminal)) {
            new ExecutionPage(terminal, surroundings.clock().instant()).print(execution);
        }
        return ExitCodes.OK;
    }
}
