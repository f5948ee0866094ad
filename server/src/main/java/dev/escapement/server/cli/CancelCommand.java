package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.ExecutionView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NO, ExitCodes.NOT_FOUND})
final class CancelCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The execution.")
    private String name = "";

    @Mixin
    private final Namespace namespace = new Namespace();

    @Mixin
    private final By by;

    @Mixin
    private final Output output = new Output();

    CancelCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        ExecutionView execution = new ExecutionView(
                api.post(namespace.execution(name, "cancel"), Json.object().put("by", by.name())));
        boolean tooLate = execution.isFinal() && !execution.reason().equals("Cancelled");
        if (!output.print(execution.document(), execution.name(), terminal)) {
            terminal.line(Printable.line(
                    tooLate
                            ? "too late: execution %s is %s already".formatted(execution.shortName(), execution.phase())
                            : "execution %s is asked to stop".formatted(execution.shortName())));
        }
        return tooLate ? ExitCodes.NO : ExitCodes.OK;
    }
}
