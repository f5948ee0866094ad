package dev.escapement.cli.command;

import dev.escapement.cli.command.execution.DescribeExecutionCommand;
import dev.escapement.cli.command.execution.GetExecutionsCommand;
import dev.escapement.cli.command.execution.WorkflowCommand.DescribeWorkflowCommand;
import dev.escapement.cli.command.execution.WorkflowCommand.GetWorkflowsCommand;
import dev.escapement.cli.command.target.DescribeTargetCommand;
import dev.escapement.cli.command.target.GetTargetsCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has subcommands; without one it fails and lists them. */
public abstract class CommandGroup implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        List<String> names = spec.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing subcommand: name one of " + String.join(", ", names));
    }

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
    public static final class GetCommand extends CommandGroup {}

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
    public static final class DescribeCommand extends CommandGroup {}
}
