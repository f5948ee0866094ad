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
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionJsonView;
import dev.escapement.cli.output.ExecutionTable;
import dev.escapement.cli.output.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists executions. */
@Command(
        name = "executions",
        aliases = {"execution", "wfe"},
        sortOptions = false,
        description = {
            "Lists executions, the newest first, of all namespaces unless one is named; or shows one.",
            "",
            "With --watch it goes on and adds a row whenever one changes.",
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

    /** The phases of an execution. */
    enum Phase {
        Pending,
        Running,
        Completed,
        Failed,
        Skipped
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this one.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = {"Only those of this namespace. Default: all; for one by name: default"})
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--phase",
            paramLabel = "PHASE",
            description = "Only those in this phase: ${COMPLETION-CANDIDATES}.")
    private Optional<Phase> phase = Optional.empty();

    @Option(names = "--workflow", paramLabel = "ID", description = "Only those of this workflow.")
    private Optional<String> workflow = Optional.empty();

    @Option(names = "--target", paramLabel = "TARGET", description = "Only those on this target.")
    private Optional<String> target = Optional.empty();

    @Mixin
    private final LimitOption limitOption = new LimitOption();

    @Option(
            names = {"-w", "--watch"},
            description = "Go on, and show every change, until Ctrl-C.")
    private boolean watch;

    @Mixin
    private final OutputOption output = new OutputOption();

    /** As wide as the table that was printed last. */
    private List<Integer> widths = new ArrayList<>();

    GetExecutionsCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        if (watch) {
            connection
                    .createEventFeed(api)
                    .follow(new ChangeWatcher(
                            terminal, () -> printAll(api), event -> fetchChanged(api, event), this::printOne));
        } else {
            printAll(api);
        }
        return ExitCodes.OK;
    }

    private void printAll(ApiClient api) {
        if (name.isPresent()) {
            JsonNode one = api.get(executionPath(name.get(), namespace.orElse(ExecutionJsonView.DEFAULT_NAMESPACE)));
            if (!output.printIfMachineReadable(one, new ExecutionJsonView(one).name(), terminal)) {
                print(List.of(new ExecutionJsonView(one)));
            }
            return;
        }
        ResourceList listing = ResourceList.fetch(api, listPath(), limitOption.limit());
        List<ExecutionJsonView> executions =
                listing.items().stream().map(ExecutionJsonView::new).toList();
        if (output.isNamesOnly()) {
            executions.forEach(
                    execution -> output.printIfMachineReadable(execution.document(), execution.name(), terminal));
        } else if (!output.printIfMachineReadable(listing.toDocument(), "", terminal)) {
            print(executions);
        }
        limitOption.printIfTruncated(listing, terminal);
    }

    private void print(List<ExecutionJsonView> executions) {
        if (executions.isEmpty() && !watch) {
            terminal.err().println("no executions" + (listPath().query().isEmpty() ? "" : " like that"));
            return;
        }
        Table table = new ExecutionTable(terminal, output.isWide())
                .build(executions, context.clock().instant());
        widths = table.widths();
        table.print();
    }

    private void printOne(JsonNode document) {
        ExecutionJsonView execution = new ExecutionJsonView(document);
        if (!output.printIfMachineReadable(document, execution.name(), terminal)) {
            new ExecutionTable(terminal, output.isWide())
                    .build(List.of(execution), context.clock().instant())
                    .printRows(widths);
        }
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
