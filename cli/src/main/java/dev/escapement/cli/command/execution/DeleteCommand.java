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
import dev.escapement.cli.output.terminal.TerminalText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes executions. */
@Command(
        name = "delete",
        sortOptions = false,
        description = {
            "Deletes executions; one that runs is stopped first.",
            "",
            "Deleting the execution that a target remembers also deletes that memory: a block that it caused",
            "is gone (unless the server's reset-on-delete is false).",
            ""
        },
        footer = {"", "Examples:", "  escapement delete clean-disk-7k2m9xb", "  escapement delete -n payment one two"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DeleteCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "The executions.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    DeleteCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        ObjectNode who = ClientJson.createObject().put("by", actor.name());
        for (String name : names) {
            ExecutionJsonView deleted = new ExecutionJsonView(api.delete(namespace.executionPath(name), who));
            if (!output.printIfMachineReadable(deleted.document(), name, terminal)) {
                terminal.printLine(TerminalText.singleLine(
                        "execution " + deleted.shortName() + " deleted; it was " + deleted.phase()));
            }
        }
        return ExitCodes.OK;
    }
}
