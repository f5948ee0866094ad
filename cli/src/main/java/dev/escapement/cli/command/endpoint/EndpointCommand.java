package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.command.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "endpoint",
        aliases = {"endpoints"},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Manages endpoints: URLs that are called at an interval or by a cron, with backoff while they fail."
        },
        footer = {
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
            EndpointDocumentCommand.EndpointDescribeCommand.class,
            EndpointDocumentCommand.EndpointExplainCommand.class,
            EndpointActionCommand.EndpointPauseCommand.class,
            EndpointActionCommand.EndpointResumeCommand.class,
            EndpointRunCommand.class,
            EndpointActionCommand.EndpointHintCommand.class,
            EndpointActionCommand.EndpointResetCommand.class,
            EndpointRmCommand.class,
            EndpointImportCommand.class
        })
public final class EndpointCommand extends CommandGroup {}
