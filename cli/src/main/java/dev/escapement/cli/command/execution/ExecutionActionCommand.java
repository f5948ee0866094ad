package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionView;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands that act on executions. */
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public abstract class ExecutionActionCommand extends ActionCommand {

    @Mixin
    final NamespaceOption namespace = new NamespaceOption();

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
    @ExitCodes.Documented(ExitCodes.NO)
    public static final class CancelCommand extends ExecutionActionCommand {

        @Parameters(paramLabel = "NAME", description = "Name of the execution.")
        private String name = "";

        @Override
        protected int execute(ApiClient api) {
            ApiPath path = ApiPath.ofExecution(namespace.name(), name, "cancel");
            var execution = new ExecutionView(api.post(path, actorFields()));
            boolean tooLate = execution.isFinished() && !execution.reason().equals("Cancelled");
            String result = tooLate ? "already finished, phase " + execution.phase() : "cancellation requested";
            print(execution.document(), execution.name(), "execution " + execution.shortName() + ": " + result);
            return tooLate ? ExitCodes.NO : ExitCodes.OK;
        }
    }

    @Command(
            name = "delete",
            description = {
                "Deletes executions. A running execution is stopped first.",
                "",
                "If the target's history refers to the execution, that entry is deleted too: a block that the",
                "execution caused is removed (unless the server's setting reset-on-delete is false)."
            },
            footer = {"  escapement delete clean-disk-7k2m9xb", "  escapement delete -n payment one two"})
    public static final class DeleteCommand extends ExecutionActionCommand {

        @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the executions.")
        private List<String> names = new ArrayList<>();

        @Override
        protected int execute(ApiClient api) {
            for (String name : names) {
                ApiPath path = ApiPath.ofExecution(namespace.name(), name);
                var deleted = new ExecutionView(api.delete(path, actorFields()));
                print(
                        deleted.document(),
                        name,
                        "execution %s deleted, last phase %s".formatted(deleted.shortName(), deleted.phase()));
            }
            return ExitCodes.OK;
        }
    }
}
