package dev.escapement.cli.command;

import dev.escapement.cli.command.execution.DescribeExecutionCommand;
import dev.escapement.cli.command.execution.DescribeWorkflowCommand;
import dev.escapement.cli.command.target.DescribeTargetCommand;
import picocli.CommandLine.Command;

@Command(
        name = "describe",
        synopsisSubcommandLabel = "(execution | target | workflow)",
        description = {
            "Shows all details of one execution, target or workflow.",
            "",
            "Includes the reason of the current state, how long it lasts, and suggested commands."
        },
        footer = {
            "  escapement describe execution clean-disk-7k2m9xb",
            "  escapement describe target node/worker-node-1",
            "  escapement describe workflow clean-disk"
        },
        subcommands = {DescribeExecutionCommand.class, DescribeTargetCommand.class, DescribeWorkflowCommand.class})
public final class DescribeCommand extends CommandGroup {}
