package dev.escapement.cli.command.endpoint;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Everything about scheduled endpoints. */
@Command(
        name = "endpoint",
        aliases = {"endpoints"},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Calls HTTP endpoints on an interval or a cron, backs off while they fail, and says why then.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint add health https://api.example.com/health --every 1m",
            "  escapement endpoint get",
            "  escapement endpoint describe health",
            "  escapement endpoint run health --wait",
            "  escapement endpoint hint health --every 10s --for 15m --reason 'watching the deployment'",
            "  escapement endpoint import -f endpoints.yaml",
            "  escapement runs --endpoint health"
        },
        subcommands = {
            EndpointAddCommand.class,
            EndpointGetCommand.class,
            EndpointDescribeCommand.class,
            EndpointExplainCommand.class,
            EndpointPauseCommand.class,
            EndpointResumeCommand.class,
            EndpointRunCommand.class,
            EndpointHintCommand.class,
            EndpointResetCommand.class,
            EndpointRmCommand.class,
            EndpointImportCommand.class
        })
public final class EndpointCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "endpoint what? Name one of: " + String.join(", ", subcommandNames()));
    }

    private Iterable<String> subcommandNames() {
        return spec.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
    }
}
