package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.Target;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.ExecutionView;
import dev.escapement.server.cli.view.TargetPage;
import dev.escapement.server.cli.view.TargetView;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells all about one target. */
@Command(
        name = "target",
        aliases = {"targets"},
        sortOptions = false,
        description = {
            "Tells who holds a target, what is in the way, until when, what ran on it last, and what to do now.",
            "",
            "A target that is free and remembers nothing has no entry; it is described as free all the same.",
            ""
        },
        footer = {"", "Example:", "  escapement describe target node/worker-node-1"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class DescribeTargetCommand extends ClientCommand {

    private static final String OBJECT = "wfe-[0-9a-f]{16}";
    private static final int LAST = 8;

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name or kind/name; or its object, wfe-….")
    private String target = "";

    @Mixin
    private final Output output = new Output();

    DescribeTargetCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        boolean byObject = target.matches(OBJECT);
        String id = byObject ? target : Target.parse(target).canonical();
        // Without a page to print, an entry that is not there is just that.
        Optional<JsonNode> found = byObject || !output.isForPeople()
                ? Optional.of(api.get(Resource.of("targets", id)))
                : Watch.unlessGone(() -> api.get(Resource.of("targets", id)));
        if (found.isPresent() && output.print(found.get(), new TargetView(found.get()).target(), terminal)) {
            return ExitCodes.OK;
        }
        TargetPage page = new TargetPage(terminal, surroundings.clock().instant());
        String canonical =
                found.map(document -> new TargetView(document).target()).orElse(id);
        List<ExecutionView> last =
                Listing.of(api, Resource.of("executions").with("target", canonical), LAST).items().stream()
                        .map(ExecutionView::new)
                        .toList();
        found.ifPresentOrElse(
                document -> page.print(new TargetView(document), last), () -> page.printUnknown(canonical, last));
        return ExitCodes.OK;
    }
}
