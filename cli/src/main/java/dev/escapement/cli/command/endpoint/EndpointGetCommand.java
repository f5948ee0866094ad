package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.output.EndpointDescriber;
import dev.escapement.cli.output.EndpointView;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = {
            "Lists endpoints by name with their next run and the rule that decided its time, or shows one.",
            "",
            "The output of -o yaml can be edited and given to 'endpoint import'; hidden values stay unchanged."
        },
        footer = {
            "  escapement endpoint get",
            "  escapement endpoint get --state failing -o wide",
            "  escapement endpoint get --all -o yaml > endpoints.yaml",
            "  escapement endpoint get health -o json | jq .status.nextRun"
        })
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
final class EndpointGetCommand extends DocumentCommand {

    /** Values of {@code --state}. */
    enum StateFilter {
        FAILING,
        PAUSED,
        RUNNING,
        ARCHIVED
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show only the endpoint with this name or id.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only endpoints that are failing, paused, running or archived. Default: all but archived")
    private Optional<StateFilter> state = Optional.empty();

    @Mixin
    private final LimitOption limitOption = new LimitOption();

    @Override
    protected int execute(ApiClient api) {
        var printer = new ResourcePrinter<>(
                context, output, EndpointView::of, EndpointView::name, EndpointDescriber::buildTable);
        if (name.isPresent()) {
            printer.printOne(api.get(ApiPath.of("endpoints", name.get())));
            return ExitCodes.OK;
        }
        ApiPath path = ApiPath.of("endpoints")
                .withParameter("state", state.map(given -> given.name().toLowerCase(Locale.ROOT)));
        ResourceList list = ResourceList.fetch(api, path, limitOption.limit());
        String noneYet = "no endpoints yet: escapement endpoint add NAME URL --every 5m";
        printer.printList(list, Optional.of(state.isPresent() ? "no endpoints match" : noneYet));
        limitOption.printIfTruncated(list, terminal);
        return ExitCodes.OK;
    }
}
