package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.view.TargetTable;
import dev.escapement.server.cli.view.TargetView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class GetTargetsCommand extends ClientCommand {

    /** Which targets. */
    enum State {
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
    private State state = State.ALL;

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

    GetTargetsCommand(Surroundings surroundings) {
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
        if (target.isPresent()) {
            TargetView one = new TargetView(api.get(Resource.of("targets", target.get())));
            if (!output.print(one.document(), one.target(), terminal)) {
                print(List.of(one));
            }
            return;
        }
        Listing listing = Listing.of(
                api, Resource.of("targets").with("state", state.name().toLowerCase(Locale.ROOT)), amount.limit());
        List<TargetView> targets = listing.items().stream().map(TargetView::new).toList();
        if (output.isNames()) {
            targets.forEach(each -> output.print(each.document(), each.target(), terminal));
        } else if (!output.print(listing.document(), "", terminal)) {
            print(targets);
        }
        amount.sayIfMore(listing, terminal);
    }

    private void print(List<TargetView> targets) {
        if (targets.isEmpty() && !watch) {
            terminal.err()
                    .println("no target is held, failing or remembers anything"
                            + (state == State.ALL ? "" : " like that"));
            return;
        }
        Table table = new TargetTable(terminal, output.isWide())
                .of(targets, surroundings.clock().instant());
        widths = table.widths();
        table.print();
    }

    private void printOne(JsonNode document) {
        TargetView one = new TargetView(document);
        if (!output.print(document, one.target(), terminal)) {
            new TargetTable(terminal, output.isWide())
                    .of(List.of(one), surroundings.clock().instant())
                    .printRows(widths);
        }
    }

    private Optional<JsonNode> changed(ApiClient api, ServerEvent event) {
        String changed = event.text("/target");
        return !changed.isEmpty() && target.map(changed::equals).orElse(true)
                ? Watch.unlessGone(() -> api.get(Resource.of("targets", changed)))
                : Optional.empty();
    }
}
