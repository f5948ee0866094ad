package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionJsonView;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = {
            "Cancels an execution: stops its run and releases its target.",
            "",
            "The whole process tree is terminated. If some of the execution ran, its target may be half changed",
            "and is blocked until a person clears it."
        },
        footer = {
            "  escapement cancel clean-disk-7k2m9xb",
            "  escapement get executions --phase running -o name | xargs -n 1 escapement cancel"
        })
@ExitCodes.Documented({ExitCodes.OK, ExitCodes.NO, ExitCodes.NOT_FOUND})
public final class CancelCommand extends ActionCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the execution.")
    private String name = "";

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Override
    protected int execute(ApiClient api) {
        var execution =
                new ExecutionJsonView(api.post(namespace.executionPath(name, "cancel"), Map.of("by", actorName())));
        boolean tooLate = execution.isFinished() && !execution.reason().equals("Cancelled");
        String result = tooLate ? "already finished, phase " + execution.phase() : "cancellation requested";
        print(execution.document(), execution.name(), "execution " + execution.shortName() + ": " + result);
        return tooLate ? ExitCodes.NO : ExitCodes.OK;
    }
}
