package dev.escapement.cli.command.target;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.TargetView;
import dev.escapement.governor.Target;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "target",
        aliases = "targets",
        description = {
            "Shows the holder, blocks, history and last executions of a target, and suggested commands.",
            "",
            "A target that is free and has no history has no entry; it is shown as Free."
        },
        footer = "  escapement describe target node/worker-node-1")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class DescribeTargetCommand extends DocumentCommand {

    private static final String OBJECT_NAME_PATTERN = "wfe-[0-9a-f]{16}";
    private static final int MAX_EXECUTIONS = 8;

    @Parameters(
            paramLabel = "TARGET",
            description = "namespace/kind/name or kind/name; or the name of its RemediationTarget, wfe-….")
    private String target = "";

    @Override
    protected int execute(ApiClient api) {
        boolean byObjectName = target.matches(OBJECT_NAME_PATTERN);
        String id = byObjectName ? target : Target.parse(target).canonical();
        ApiPath path = ApiPath.of("targets", id);
        // With JSON, YAML or name a missing entry is an error: there is no document to print.
        Optional<TargetView> found = (byObjectName || !output.isHumanReadable()
                        ? Optional.of(api.get(path))
                        : api.find(path))
                .map(TargetView::new);
        found.ifPresentOrElse(
                entry -> print(
                        entry.document(),
                        entry.target(),
                        () -> entry.print(terminal, now(), lastExecutions(api, entry.target()))),
                () -> TargetView.printUnknown(id, terminal, now(), lastExecutions(api, id)));
        return ExitCodes.OK;
    }

    private static List<ExecutionView> lastExecutions(ApiClient api, String canonical) {
        ApiPath path = ApiPath.of("executions").withParameter("target", canonical);
        return ResourceList.fetch(api, path, MAX_EXECUTIONS).items().stream()
                .map(ExecutionView::new)
                .toList();
    }
}
