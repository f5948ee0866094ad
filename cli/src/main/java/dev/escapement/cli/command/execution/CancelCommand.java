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
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Asks for an execution to stop. */
@Command(
        name = "cancel",
        sortOptions = false,
        description = {
            "Asks for an execution to stop.",
            "",
            "Its whole process tree is ended; then its target is free. If some of it had run, the target may",
            "be half changed and is blocked until a person clears it.",
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

    @Parameters(paramLabel = "NAME", description = "The execution.")
    private String name = "";

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    CancelCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        ExecutionJsonView execution = new ExecutionJsonView(api.post(
                namespace.executionPath(name, "cancel"),
                ClientJson.createObject().put("by", actor.name())));
        boolean tooLate = execution.isFinished() && !execution.reason().equals("Cancelled");
        if (!output.printIfMachineReadable(execution.document(), execution.name(), terminal)) {
            terminal.printLine(TerminalText.singleLine(
                    tooLate
                            ? "too late: execution %s is %s already".formatted(execution.shortName(), execution.phase())
                            : "execution %s is asked to stop".formatted(execution.shortName())));
        }
        return tooLate ? ExitCodes.NO : ExitCodes.OK;
    }
}
