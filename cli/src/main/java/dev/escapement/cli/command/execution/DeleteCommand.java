package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionJsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = {
            "Deletes executions. A running execution is stopped first.",
            "",
            "If the target's history refers to the execution, that entry is deleted too: a block that the",
            "execution caused is removed (unless the server's setting reset-on-delete is false)."
        },
        footer = {"  escapement delete clean-disk-7k2m9xb", "  escapement delete -n payment one two"})
@ExitCodes.Documented({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DeleteCommand extends ActionCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the executions.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Override
    protected int execute(ApiClient api) {
        for (String name : names) {
            var deleted = new ExecutionJsonView(api.delete(namespace.executionPath(name), Map.of("by", actorName())));
            print(
                    deleted.document(),
                    name,
                    "execution %s deleted, last phase %s".formatted(deleted.shortName(), deleted.phase()));
        }
        return ExitCodes.OK;
    }
}
