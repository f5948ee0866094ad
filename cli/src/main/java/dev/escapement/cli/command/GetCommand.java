package dev.escapement.cli.command;

import dev.escapement.cli.command.execution.GetExecutionsCommand;
import dev.escapement.cli.command.execution.GetWorkflowsCommand;
import dev.escapement.cli.command.target.GetTargetsCommand;
import picocli.CommandLine.Command;

@Command(
        name = "get",
        synopsisSubcommandLabel = "(executions | targets | workflows)",
        description = "Lists executions, targets or workflows, or shows one of them.",
        footer = {
            "  escapement get executions",
            "  escapement get executions --phase failed -o wide",
            "  escapement get targets --state failing",
            "  escapement get workflows",
            "  escapement get execution clean-disk-7k2m9xb -o yaml"
        },
        subcommands = {GetExecutionsCommand.class, GetTargetsCommand.class, GetWorkflowsCommand.class})
public final class GetCommand extends CommandGroup {}
