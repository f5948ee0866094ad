package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.command.ChangeWatcher;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionJsonView;
import dev.escapement.cli.output.ExecutionTable;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code get executions}. */
@Command(
        name = "executions",
        aliases = {"execution", "wfe"},
        sortOptions = false,
        description = {
            "Lists executions of all namespaces, newest first, or shows one.",
            "",
            "With --watch it keeps running and adds a row for each change.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement get executions --phase skipped --target node/worker-node-1",
            "  escapement get executions --watch",
            "  escapement get execution clean-disk-7k2m9xb -o json | jq .status"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class GetExecutionsCommand extends ClientCommand {

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
            description = {"Only executions in this namespace. Default: all; with NAME: default"})
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
    private final LimitOption limitOption = new LimitOption();

    @Option(
            names = {"-w", "--watch"},
            description = "Keep running and show every change, until Ctrl-C.")
    private boolean watch;

    @Mixin
    private final OutputOption output = new OutputOption();

    private final ResourcePrinter<ExecutionJsonView> printer;

    GetExecutionsCommand(CommandContext context) {
        super(context);
        this.printer = new ResourcePrinter<>(
                context, output, ExecutionJsonView::new, ExecutionJsonView::name, ExecutionTable::build);
    }

    @Override
    protected int execute(ApiClient api) {
        if (watch) {
            connection
                    .createEventFeed(api)
                    .follow(new ChangeWatcher(
                            terminal,
                            () -> printAll(api),
                            event -> fetchChanged(api, event),
                            changed -> printer.printMore(List.of(changed))));
        } else {
            printAll(api);
        }
        return ExitCodes.OK;
    }

    private void printAll(ApiClient api) {
        if (name.isPresent()) {
            printer.printOne(api.get(executionPath(name.get(), namespace.orElse(ExecutionJsonView.DEFAULT_NAMESPACE))));
            return;
        }
        ResourceList list = ResourceList.fetch(api, listPath(), limitOption.limit());
        boolean filtered = !listPath().query().isEmpty();
        printer.printList(
                list, watch ? Optional.empty() : Optional.of(filtered ? "no executions match" : "no executions"));
        limitOption.printIfTruncated(list, terminal);
    }

    private Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event) {
        String changed = event.text("/execution/name");
        String in = event.text("/execution/namespace");
        boolean wanted = !changed.isEmpty()
                && name.map(changed::equals).orElse(true)
                && namespace.map(in::equals).orElse(true)
                && workflow.map(event.text("/workflow")::equals).orElse(true)
                && target.map(event.text("/target")::equals).orElse(true);
        return wanted
                ? ChangeWatcher.emptyIfNotFound(() -> api.get(executionPath(changed, in)))
                        .filter(document -> phase.map(Enum::name)
                                .map(new ExecutionJsonView(document).phase()::equals)
                                .orElse(true))
                : Optional.empty();
    }

    private ApiPath listPath() {
        return ApiPath.of("executions")
                .withParameter("namespace", namespace)
                .withParameter("phase", phase.map(Enum::name))
                .withParameter("workflow", workflow)
                .withParameter("target", target);
    }

    private static ApiPath executionPath(String name, String namespace) {
        return ApiPath.of("executions", name).withParameter("namespace", namespace);
    }
}
