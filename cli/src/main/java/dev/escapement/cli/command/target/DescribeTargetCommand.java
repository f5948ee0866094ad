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

/** Command {@code describe target}. */
@Command(
        name = "target",
        aliases = {"targets"},
        sortOptions = false,
        description = {
            "Shows the holder, blocks, history and last executions of a target, and suggested commands.",
            "",
            "A target that is free and has no history has no entry; it is shown as Free.",
            ""
        },
        footer = {"", "Example:", "  escapement describe target node/worker-node-1"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DescribeTargetCommand extends ClientCommand {

    private static final String OBJECT_NAME_PATTERN = "wfe-[0-9a-f]{16}";
    private static final int MAX_EXECUTIONS = 8;

    @Parameters(
            paramLabel = "TARGET",
            description = "namespace/kind/name or kind/name; or the name of its RemediationTarget, wfe-….")
    private String target = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    DescribeTargetCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        boolean byObjectName = target.matches(OBJECT_NAME_PATTERN);
        String id = byObjectName ? target : Target.parse(target).canonical();
        // With JSON, YAML or name a missing entry is an error: there is no document to print.
        Optional<JsonNode> found = byObjectName || !output.isHumanReadable()
                ? Optional.of(api.get(ApiPath.of("targets", id)))
                : ChangeWatcher.emptyIfNotFound(() -> api.get(ApiPath.of("targets", id)));
        if (found.isPresent()
                && output.printIfMachineReadable(found.get(), new TargetJsonView(found.get()).target(), terminal)) {
            return ExitCodes.OK;
        }
        TargetDescriber describer =
                new TargetDescriber(terminal, context.clock().instant());
        String canonical =
                found.map(document -> new TargetJsonView(document).target()).orElse(id);
        List<ExecutionJsonView> executions = ResourceList.fetch(
                        api, ApiPath.of("executions").withParameter("target", canonical), MAX_EXECUTIONS)
                .items()
                .stream()
                .map(ExecutionJsonView::new)
                .toList();
        found.ifPresentOrElse(
                document -> describer.print(new TargetJsonView(document), executions),
                () -> describer.printUnknown(canonical, executions));
        return ExitCodes.OK;
    }
}
