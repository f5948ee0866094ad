package dev.escapement.cli.command;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.notification.DescribeNotificationCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.TargetView;
import dev.escapement.cli.output.WorkflowView;
import dev.escapement.governor.Target;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        synopsisSubcommandLabel = "(execution | target | workflow | notification)",
        description = {
            "Shows all details of one execution, target, workflow or notification.",
            "",
            "Includes the reason of the current state, how long it lasts, and suggested commands."
        },
        footer = {
            "  escapement describe execution clean-disk-7k2m9xb",
            "  escapement describe target node/worker-node-1",
            "  escapement describe workflow clean-disk",
            "  escapement describe notification nr-1f0c3a5b7d9e2468ace013579bdf"
        },
        subcommands = {
            DescribeCommand.DescribeExecutionCommand.class,
            DescribeCommand.DescribeTargetCommand.class,
            DescribeCommand.DescribeWorkflowCommand.class,
            DescribeNotificationCommand.class
        })
public final class DescribeCommand extends CommandGroup {

    @Command(
            name = "execution",
            aliases = {"executions", "wfe"},
            description = "Shows the request, the outcome with its reason, and suggested commands.",
            footer = "  escapement describe execution clean-disk-7k2m9xb")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class DescribeExecutionCommand extends DocumentCommand {

        @Parameters(paramLabel = "NAME", description = "Name of the execution.")
        private String name = "";

        @Mixin
        private final NamespaceOption namespace = new NamespaceOption();

        @Override
        protected int execute(ApiClient api) {
            ExecutionView execution = new ExecutionView(api.get(ApiPath.ofExecution(namespace.name(), name)));
            print(execution.document(), execution.name(), () -> execution.print(terminal, now()));
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "target",
            aliases = "targets",
            description = {
                "Shows the holder, blocks, history and last executions of a target, and suggested commands.",
                "",
                "A target that is free and has no history has no entry; it is shown as Free."
            },
            footer = "  escapement describe target node/worker-node-1")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class DescribeTargetCommand extends DocumentCommand {

        private static final String OBJECT_NAME_PATTERN = "wfe-[0-9a-f]{16}";
        private static final int MAX_EXECUTIONS = 8;

        @Parameters(
                paramLabel = "TARGET",
                description = "namespace/kind/name or kind/name; or the name of its RemediationTarget, wfe-….")
        private String target = "";

        @Override
        protected int execute(ApiClient api) {
            boolean byObjectName = target.matches(OBJECT_NAME_PATTERN);
            String id = byObjectName ? target : Target.parse(target).canonical();
            ApiPath path = ApiPath.of("targets", id);
            // With JSON, YAML or name a missing entry is an error: there is no document to print.
            boolean required = byObjectName || !output.isHumanReadable();
            Optional<TargetView> found = (required ? Optional.of(api.get(path)) : api.find(path)).map(TargetView::new);
            found.ifPresentOrElse(
                    entry -> print(
                            entry.document(),
                            entry.target(),
                            () -> entry.print(terminal, now(), lastExecutions(api, entry.target()))),
                    () -> TargetView.printUnknown(id, terminal, now(), lastExecutions(api, id)));
            return ExitCodes.OK;
        }

        private static List<ExecutionView> lastExecutions(ApiClient api, String canonical) {
            ApiPath path = ApiPath.of("executions").withParameter("target", canonical);
            return ResourceList.fetch(api, path, MAX_EXECUTIONS).items().stream()
                    .map(ExecutionView::new)
                    .toList();
        }
    }

    @Command(
            name = "workflow",
            aliases = "workflows",
            description = "Shows the tasks and parameters of a workflow, and how to run it.",
            footer = "  escapement describe workflow clean-disk")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class DescribeWorkflowCommand extends DocumentCommand {

        @Parameters(paramLabel = "ID", description = "Id of the workflow.")
        private String id = "";

        @Override
        protected int execute(ApiClient api) {
            WorkflowView workflow = WorkflowView.of(api.get(ApiPath.of("workflows", id)));
            print(workflow.document(), workflow.id(), () -> workflow.print(terminal));
            return ExitCodes.OK;
        }
    }
}
