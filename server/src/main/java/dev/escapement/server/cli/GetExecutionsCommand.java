package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.view.ExecutionTable;
import dev.escapement.server.cli.view.ExecutionView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class GetExecutionsCommand extends ClientCommand {

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
    private final Amount amount = new Amount();

    @Option(
            names = {"-w", "--watch"},
            description = "Go on, and show every change, until Ctrl-C.")
    private boolean watch;

    @Mixin
    private final Output output = new Output();

    /** As wide as the table that was printed last. */
    private List<Integer> widths = new ArrayList<>();

    GetExecutionsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        if (watch) {
            connection
                    .events(api)
                    .follow(new Watch(terminal, () -> printAll(api), event -> changed(api, event), this::printOne));
        } else {
            printAll(api);
        }
        return ExitCodes.OK;
    }

    private void printAll(ApiClient api) {
        if (name.isPresent()) {
            JsonNode one = api.get(one(name.get(), namespace.orElse(ExecutionView.DEFAULT_NAMESPACE)));
            if (!output.print(one, new ExecutionView(one).name(), terminal)) {
                print(List.of(new ExecutionView(one)));
            }
            return;
        }
        Listing listing = Listing.of(api, filter(), amount.limit());
        List<ExecutionView> executions =
                listing.items().stream().map(ExecutionView::new).toList();
        if (output.isNames()) {
            executions.forEach(execution -> output.print(execution.document(), execution.name(), terminal));
        } else if (!output.print(listing.document(), "", terminal)) {
            print(executions);
        }
        amount.sayIfMore(listing, terminal);
    }

    private void print(List<ExecutionView> executions) {
        if (executions.isEmpty() && !watch) {
            terminal.err().println("no executions" + (filter().query().isEmpty() ? "" : " like that"));
            return;
        }
        Table table = new ExecutionTable(terminal, output.isWide())
                .of(executions, surroundings.clock().instant());
        widths = table.widths();
        table.print();
    }

    private void printOne(JsonNode document) {
        ExecutionView execution = new ExecutionView(document);
        if (!output.print(document, execution.name(), terminal)) {
            new ExecutionTable(terminal, output.isWide())
                    .of(List.of(execution), surroundings.clock().instant())
                    .printRows(widths);
        }
    }

    private Optional<JsonNode> changed(ApiClient api, ServerEvent event) {
        String changed = event.text("/execution/name");
        String in = event.text("/execution/namespace");
        boolean wanted = !changed.isEmpty()
                && name.map(changed::equals).orElse(true)
                && namespace.map(in::equals).orElse(true)
                && workflow.map(event.text("/workflow")::equals).orElse(true)
                && target.map(event.text("/target")::equals).orElse(true);
        return wanted
                ? Watch.unlessGone(() -> api.get(one(changed, in)))
                        .filter(document -> phase.map(Enum::name)
                                .map(new ExecutionView(document).phase()::equals)
                                .orElse(true))
                : Optional.empty();
    }

    private Resource filter() {
        return Resource.of("executions")
                .with("namespace", namespace)
                .with("phase", phase.map(Enum::name))
                .with("workflow", workflow)
                .with("target", target);
    }

    private static Resource one(String name, String namespace) {
        return Resource.of("executions", name).with("namespace", namespace);
    }
}
