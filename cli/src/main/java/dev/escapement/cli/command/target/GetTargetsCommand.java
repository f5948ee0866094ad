package dev.escapement.cli.command.target;

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
import dev.escapement.cli.output.TargetJsonView;
import dev.escapement.cli.output.TargetTable;
import dev.escapement.cli.output.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists targets. */
@Command(
        name = "targets",
        aliases = {"target"},
        sortOptions = false,
        description = {
            "Lists the targets that are held, failing or remember something; or shows one.",
            "",
            "A target that is free and remembers nothing is not in the list: it needs no entry.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement get targets",
            "  escapement get targets --state failing",
            "  escapement get target node/worker-node-1 -o yaml"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class GetTargetsCommand extends ClientCommand {

    /** Which targets. */
    enum StateFilter {
        ALL,
        HELD,
        FAILING
    }

    @Parameters(arity = "0..1", paramLabel = "TARGET", description = "Only this one.")
    private Optional<String> target = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            defaultValue = "all",
            description = "all, held or failing. Default: ${DEFAULT-VALUE}")
    private StateFilter state = StateFilter.ALL;

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

    GetTargetsCommand(CommandContext surroundings) {
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
        if (target.isPresent()) {
            TargetJsonView one = new TargetJsonView(api.get(ApiPath.of("targets", target.get())));
            if (!output.printIfMachineReadable(one.document(), one.target(), terminal)) {
                print(List.of(one));
            }
            return;
        }
        ResourceList listing = ResourceList.fetch(
                api,
                ApiPath.of("targets").withParameter("state", state.name().toLowerCase(Locale.ROOT)),
                limitOption.limit());
        List<TargetJsonView> targets =
                listing.items().stream().map(TargetJsonView::new).toList();
        if (output.isNamesOnly()) {
            targets.forEach(each -> output.printIfMachineReadable(each.document(), each.target(), terminal));
        } else if (!output.printIfMachineReadable(listing.toDocument(), "", terminal)) {
            print(targets);
        }
        limitOption.printIfTruncated(listing, terminal);
    }

    private void print(List<TargetJsonView> targets) {
        if (targets.isEmpty() && !watch) {
            terminal.err()
                    .println("no target is held, failing or remembers anything"
                            + (state == StateFilter.ALL ? "" : " like that"));
            return;
        }
        Table table = new TargetTable(terminal, output.isWide())
                .build(targets, context.clock().instant());
        widths = table.widths();
        table.print();
    }

    private void printOne(JsonNode document) {
        TargetJsonView one = new TargetJsonView(document);
        if (!output.printIfMachineReadable(document, one.target(), terminal)) {
            new TargetTable(terminal, output.isWide())
                    .build(List.of(one), context.clock().instant())
                    .printRows(widths);
        }
    }

    private Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event) {
        String changed = event.text("/target");
        return !changed.isEmpty() && target.map(changed::equals).orElse(true)
                ? ChangeWatcher.emptyIfNotFound(() -> api.get(ApiPath.of("targets", changed)))
                : Optional.empty();
    }
}
