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
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.TargetJsonView;
import dev.escapement.cli.output.TargetTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code get targets}. */
@Command(
        name = "targets",
        aliases = {"target"},
        sortOptions = false,
        description = {
            "Lists the targets that are held, failing or have a history, or shows one.",
            "",
            "A target that is free and has no history has no entry, so it is not listed.",
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
    private final LimitOption limitOption = new LimitOption();

    @Option(
            names = {"-w", "--watch"},
            description = "Keep running and show every change, until Ctrl-C.")
    private boolean watch;

    @Mixin
    private final OutputOption output = new OutputOption();

    private final ResourcePrinter<TargetJsonView> printer;

    GetTargetsCommand(CommandContext context) {
        super(context);
        this.printer =
                new ResourcePrinter<>(context, output, TargetJsonView::new, TargetJsonView::target, TargetTable::build);
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
        if (target.isPresent()) {
            printer.printOne(api.get(ApiPath.of("targets", target.get())));
            return;
        }
        ResourceList list = ResourceList.fetch(
                api,
                ApiPath.of("targets").withParameter("state", state.name().toLowerCase(Locale.ROOT)),
                limitOption.limit());
        String emptyMessage =
                state == StateFilter.ALL ? "no targets are held, failing or have a history" : "no targets match";
        printer.printList(list, watch ? Optional.empty() : Optional.of(emptyMessage));
        limitOption.printIfTruncated(list, terminal);
    }

    private Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event) {
        String changed = event.text("/target");
        return !changed.isEmpty() && target.map(changed::equals).orElse(true)
                ? ChangeWatcher.emptyIfNotFound(() -> api.get(ApiPath.of("targets", changed)))
                : Optional.empty();
    }
}
