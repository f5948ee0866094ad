package dev.escapement.cli.command;

import dev.escapement.cli.command.execution.DescribeExecutionCommand;
import dev.escapement.cli.command.execution.DescribeWorkflowCommand;
import dev.escapement.cli.command.target.DescribeTargetCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells all about one thing. */
@Command(
        name = "describe",
        synopsisSubcommandLabel = "(execution | target | workflow)",
        description = {
            "Tells all about one execution, target or workflow.",
            "",
            "What became of it, why, what is in the way and until when, and what to do now.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement describe execution clean-disk-7k2m9xb",
            "  escapement describe target node/worker-node-1",
            "  escapement describe workflow clean-disk"
        },
        subcommands = {DescribeExecutionCommand.class, DescribeTargetCommand.class, DescribeWorkflowCommand.class})
public final class DescribeCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "describe what? Name one of: execution, target, workflow");
    }
}
