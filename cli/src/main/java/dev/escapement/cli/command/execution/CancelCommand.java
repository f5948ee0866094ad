package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionJsonView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code cancel}. */
@Command(
        name = "cancel",
        sortOptions = false,
        description = {
            "Cancels an execution: stops its run and releases its target.",
            "",
            "The whole process tree is terminated. If some of the execution ran, its target may be half changed",
            "and is blocked until a person clears it.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement cancel clean-disk-7k2m9xb",
            "  escapement get executions --phase running -o name | xargs -n 1 escapement cancel"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO, ExitCodes.NOT_FOUND})
public final class CancelCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the execution.")
    private String name = "";

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    CancelCommand(CommandContext context) {
        super(context);
        this.actor = new ActorOption(context);
    }

    @Override
    protected int execute(ApiClient api) {
        ExecutionJsonView execution = new ExecutionJsonView(api.post(
                namespace.executionPath(name, "cancel"),
                ClientJson.createObject().put("by", actor.name())));
        boolean tooLate = execution.isFinished() && !execution.reason().equals("Cancelled");
        if (!output.printIfMachineReadable(execution.document(), execution.name(), terminal)) {
            terminal.printSafeLine("execution %s: %s"
                    .formatted(
                            execution.shortName(),
                            tooLate ? "already finished, phase " + execution.phase() : "cancellation requested"));
        }
        return tooLate ? ExitCodes.NO : ExitCodes.OK;
    }
}
