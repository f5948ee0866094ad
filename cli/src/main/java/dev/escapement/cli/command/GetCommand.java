package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.command.notification.GetNotificationsCommand;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.TargetView;
import dev.escapement.cli.output.WorkflowView;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        synopsisSubcommandLabel = "(executions | targets | workflows | notifications)",
        description = "Lists executions, targets, workflows or notifications, or shows one of them.",
        footer = {
            "  escapement get executions",
            "  escapement get executions --phase failed -o wide",
            "  escapement get targets --state failing",
            "  escapement get workflows",
            "  escapement get notifications --severity critical",
            "  escapement get execution clean-disk-7k2m9xb -o yaml"
        },
        subcommands = {
            GetCommand.GetExecutionsCommand.class,
            GetCommand.GetTargetsCommand.class,
            GetCommand.GetWorkflowsCommand.class,
            GetNotificationsCommand.class
        })
public final class GetCommand extends CommandGroup {

    @Command(
            name = "executions",
            aliases = {"execution", "wfe"},
            description = {
                "Lists executions of all namespaces, newest first, or shows one.",
                "",
                "With --watch it keeps running and adds a row for each change."
            },
            footer = {
                "  escapement get executions --phase skipped --target node/worker-node-1",
                "  escapement get executions --watch",
                "  escapement get execution clean-disk-7k2m9xb -o json | jq .status"
            })
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class GetExecutionsCommand extends ResourceCommand<ExecutionView> {

        /** Values of {@code --phase}. */
        enum Phase {
            Pending,
            Running,
            Completed,
            Failed,
            Skipped
        }

        @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show only this execution.")
        private Optional<String> name = Optional.empty();

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Only executions in this namespace. Default: all; with NAME: default")
        private Optional<String> namespace = Optional.empty();

        @Option(
                names = "--phase",
                paramLabel = "PHASE",
                description = "Only executions in this phase: ${COMPLETION-CANDIDATES}.")
        private Optional<Phase> phase = Optional.empty();

        @Option(names = "--workflow", paramLabel = "ID", description = "Only executions of this workflow.")
        private Optional<String> workflow = Optional.empty();

        @Option(names = "--target", paramLabel = "TARGET", description = "Only executions on this target.")
        private Optional<String> target = Optional.empty();

        @Mixin
        private final WatchOptions watch = new WatchOptions();

        GetExecutionsCommand() {
            super(ExecutionView::new, ExecutionView::name, ExecutionView::buildTable);
        }

        @Override
        protected int execute(ApiClient api) {
            String namespaceOrDefault = namespace.orElse(ExecutionView.DEFAULT_NAMESPACE);
            Optional<ApiPath> one = name.map(given -> ApiPath.ofExecution(namespaceOrDefault, given));
            ApiPath list = ApiPath.of("executions")
                    .withParameter("namespace", namespace)
                    .withParameter("phase", phase.map(Enum::name))
                    .withParameter("workflow", workflow)
                    .withParameter("target", target);
            String none = list.query().isEmpty() ? "no executions" : "no executions match";
            printAndWatch(api, new Query(one, list, Optional.of(none)), watch, event -> findChanged(api, event));
            return ExitCodes.OK;
        }

        /** Reads the execution that an event is about; empty if it does not match the filters. */
        private Optional<JsonNode> findChanged(ApiClient api, ServerEvent event) {
            String changed = event.text("/execution/name");
            String in = event.text("/execution/namespace");
            boolean wanted = !changed.isEmpty()
                    && name.map(changed::equals).orElse(true)
                    && namespace.map(in::equals).orElse(true)
                    && workflow.map(event.text("/workflow")::equals).orElse(true)
                    && target.map(event.text("/target")::equals).orElse(true);
            Optional<JsonNode> found = wanted ? api.find(ApiPath.ofExecution(in, changed)) : Optional.empty();
            return found.filter(execution -> phase.isEmpty()
                    || new ExecutionView(execution).hasPhase(phase.get().name()));
        }
    }

    @Command(
            name = "targets",
            aliases = "target",
            description = {
                "Lists the targets that are held, failing or have a history, or shows one.",
                "",
                "A target that is free and has no history has no entry, so it is not listed."
            },
            footer = {
                "  escapement get targets",
                "  escapement get targets --state failing",
                "  escapement get target node/worker-node-1 -o yaml"
            })
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class GetTargetsCommand extends ResourceCommand<TargetView> {

        /** Values of {@code --state}. */
        enum StateFilter {
            ALL,
            HELD,
            FAILING
        }

        @Parameters(arity = "0..1", paramLabel = "TARGET", description = "Show only this target.")
        private Optional<String> target = Optional.empty();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                defaultValue = "all",
                description = "all, held or failing. Default: ${DEFAULT-VALUE}")
        private StateFilter state = StateFilter.ALL;

        @Mixin
        private final WatchOptions watch = new WatchOptions();

        GetTargetsCommand() {
            super(TargetView::new, TargetView::target, TargetView::buildTable);
        }

        @Override
        protected int execute(ApiClient api) {
            Optional<ApiPath> one = target.map(given -> ApiPath.of("targets", given));
            ApiPath list =
                    ApiPath.of("targets").withParameter("state", state.name().toLowerCase(Locale.ROOT));
            String none =
                    state == StateFilter.ALL ? "no targets are held, failing or have a history" : "no targets match";
            printAndWatch(api, new Query(one, list, Optional.of(none)), watch, event -> findChanged(api, event));
            return ExitCodes.OK;
        }

        private Optional<JsonNode> findChanged(ApiClient api, ServerEvent event) {
            String changed = event.text("/target");
            return !changed.isEmpty() && target.map(changed::equals).orElse(true)
                    ? api.find(ApiPath.of("targets", changed))
                    : Optional.empty();
        }
    }

    @Command(
            name = "workflows",
            aliases = "workflow",
            description = {
                "Lists the workflows of the server and the workflow files that are invalid, or shows one workflow.",
                "",
                "A star marks a required parameter."
            },
            footer = {"  escapement get workflows", "  escapement describe workflow clean-disk"})
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class GetWorkflowsCommand extends ResourceCommand<WorkflowView> {

        @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this workflow.")
        private Optional<String> id = Optional.empty();

        GetWorkflowsCommand() {
            super(WorkflowView::of, WorkflowView::id, WorkflowView::buildTable);
        }

        @Override
        protected int execute(ApiClient api) {
            if (id.isPresent()) {
                printOne(api.get(ApiPath.of("workflows", id.get())));
                return ExitCodes.OK;
            }
            JsonNode response = api.get(ApiPath.of("workflows"));
            printList(response.path("items").valueStream().toList(), response, Optional.empty());
            if (response.has("note")) {
                terminal.printError(ClientJson.text(response, "/note"));
            }
            for (JsonNode problem : response.path("problems")) {
                terminal.printError("invalid workflow file %s: %s"
                        .formatted(ClientJson.text(problem, "/file"), ClientJson.text(problem, "/message")));
            }
            return ExitCodes.OK;
        }
    }
}
