package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.command.GetResourcesCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.output.ExecutionDescriber;
import dev.escapement.cli.output.ExecutionView;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "executions",
        aliases = {"execution", "wfe"},
        description = {
            "Lists executions of all namespaces, newest first, or shows one.",
            "",
            "With --watch it keeps running and adds a row for each change."
        },
        footer = {
            "  escapement get executions --phase skipped --target node/worker-node-1",
            "  escapement get executions --watch",
            "  escapement get execution clean-disk-7k2m9xb -o json | jq .status"
        })
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class GetExecutionsCommand extends GetResourcesCommand {

    /** Values of {@code --phase}. */
    enum Phase {
        Pending,
        Running,
        Completed,
        Failed,
        Skipped
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show only this execution.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only executions in this namespace. Default: all; with NAME: default")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--phase",
            paramLabel = "PHASE",
            description = "Only executions in this phase: ${COMPLETION-CANDIDATES}.")
    private Optional<Phase> phase = Optional.empty();

    @Option(names = "--workflow", paramLabel = "ID", description = "Only executions of this workflow.")
    private Optional<String> workflow = Optional.empty();

    @Option(names = "--target", paramLabel = "TARGET", description = "Only executions on this target.")
    private Optional<String> target = Optional.empty();

    @Override
    protected ResourcePrinter<ExecutionView> createPrinter() {
        return new ResourcePrinter<>(
                context, output, ExecutionView::new, ExecutionView::name, ExecutionDescriber::buildTable);
    }

    @Override
    protected Optional<ApiPath> resourcePath() {
        return name.map(given -> ApiPath.ofExecution(namespace.orElse(ExecutionView.DEFAULT_NAMESPACE), given));
    }

    @Override
    protected ApiPath listPath() {
        return ApiPath.of("executions")
                .withParameter("namespace", namespace)
                .withParameter("phase", phase.map(Enum::name))
                .withParameter("workflow", workflow)
                .withParameter("target", target);
    }

    @Override
    protected String emptyMessage() {
        return listPath().query().isEmpty() ? "no executions" : "no executions match";
    }

    @Override
    protected Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event) {
        String changed = event.text("/execution/name");
        String in = event.text("/execution/namespace");
        boolean wanted = !changed.isEmpty()
                && name.map(changed::equals).orElse(true)
                && namespace.map(in::equals).orElse(true)
                && workflow.map(event.text("/workflow")::equals).orElse(true)
                && target.map(event.text("/target")::equals).orElse(true);
        Optional<JsonNode> found = wanted ? api.find(ApiPath.ofExecution(in, changed)) : Optional.empty();
        return found.filter(execution -> phase.isEmpty()
                || new ExecutionView(execution).hasPhase(phase.get().name()));
    }
}
