package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.command.GetResourcesCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.output.TargetView;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
public final class GetTargetsCommand extends GetResourcesCommand {

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

    @Override
    protected ResourcePrinter<TargetView> createPrinter() {
        return new ResourcePrinter<>(context, output, TargetView::new, TargetView::target, TargetView::buildTable);
    }

    @Override
    protected Optional<ApiPath> resourcePath() {
        return target.map(given -> ApiPath.of("targets", given));
    }

    @Override
    protected ApiPath listPath() {
        return ApiPath.of("targets").withParameter("state", state.name().toLowerCase(Locale.ROOT));
    }

    @Override
    protected String emptyMessage() {
        return state == StateFilter.ALL ? "no targets are held, failing or have a history" : "no targets match";
    }

    @Override
    protected Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event) {
        String changed = event.text("/target");
        return !changed.isEmpty() && target.map(changed::equals).orElse(true)
                ? api.find(ApiPath.of("targets", changed))
                : Optional.empty();
    }
}
