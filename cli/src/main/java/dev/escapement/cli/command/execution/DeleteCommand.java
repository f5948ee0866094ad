package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code delete}. */
@Command(
        name = "delete",
        sortOptions = false,
        description = {
            "Deletes executions. A running execution is stopped first.",
            "",
            "If the target's history refers to the execution, that entry is deleted too: a block that the",
            "execution caused is removed (unless the server's setting reset-on-delete is false).",
            ""
        },
        footer = {"", "Examples:", "  escapement delete clean-disk-7k2m9xb", "  escapement delete -n payment one two"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DeleteCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the executions.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    DeleteCommand(CommandContext context) {
        super(context);
        this.actor = new ActorOption(context);
    }

    @Override
    protected int execute(ApiClient api) {
        ObjectNode body = ClientJson.createObject().put("by", actor.name());
        for (String name : names) {
            ExecutionJsonView deleted = new ExecutionJsonView(api.delete(namespace.executionPath(name), body));
            if (!output.printIfMachineReadable(deleted.document(), name, terminal)) {
                terminal.printSafeLine(
                        "execution %s deleted, last phase %s".formatted(deleted.shortName(), deleted.phase()));
            }
        }
        return ExitCodes.OK;
    }
}
