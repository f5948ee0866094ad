package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ChangeWatcher;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionJsonView;
import dev.escapement.cli.output.TargetDescriber;
import dev.escapement.cli.output.TargetJsonView;
import dev.escapement.governor.Target;
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
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DescribeTargetCommand extends ClientCommand {

    private static final String OBJECT_NAME_PATTERN = "wfe-[0-9a-f]{16}";
    private static final int MAX_EXECUTIONS = 8;

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name or kind/name; or its object, wfe-….")
    private String target = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    DescribeTargetCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        boolean byObject = target.matches(OBJECT_NAME_PATTERN);
        String id = byObject ? target : Target.parse(target).canonical();
        // Without a page to print, an entry that is not there is just that.
        Optional<JsonNode> found = byObject || !output.isHumanReadable()
                ? Optional.of(api.get(ApiPath.of("targets", id)))
                : ChangeWatcher.emptyIfNotFound(() -> api.get(ApiPath.of("targets", id)));
        if (found.isPresent()
                && output.printIfMachineReadable(found.get(), new TargetJsonView(found.get()).target(), terminal)) {
            return ExitCodes.OK;
        }
        TargetDescriber page = new TargetDescriber(terminal, context.clock().instant());
        String canonical =
                found.map(document -> new TargetJsonView(document).target()).orElse(id);
        List<ExecutionJsonView> last = ResourceList.fetch(
                        api, ApiPath.of("executions").withParameter("target", canonical), MAX_EXECUTIONS)
                .items()
                .stream()
                .map(ExecutionJsonView::new)
                .toList();
        found.ifPresentOrElse(
                document -> page.print(new TargetJsonView(document), last), () -> page.printUnknown(canonical, last));
        return ExitCodes.OK;
    }
}
