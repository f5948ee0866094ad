package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.ExecutionView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class DeleteCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "The executions.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final Namespace namespace = new Namespace();

    @Mixin
    private final By by;

    @Mixin
    private final Output output = new Output();

    DeleteCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        ObjectNode who = Json.object().put("by", by.name());
        for (String name : names) {
            ExecutionView deleted = new ExecutionView(api.delete(namespace.execution(name), who));
            if (!output.print(deleted.document(), name, terminal)) {
                terminal.line(
                        Printable.line("execution " + deleted.shortName() + " deleted; it was " + deleted.phase()));
            }
        }
        return ExitCodes.OK;
    }
}
