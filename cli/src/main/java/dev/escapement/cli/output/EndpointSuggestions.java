package dev.escapement.cli.output;

import static dev.escapement.cli.output.ApiValues.orEmpty;
import static dev.escapement.cli.output.ApiValues.text;

import dev.escapement.api.endpoint.Endpoint.EndpointRemediation;
import dev.escapement.api.endpoint.EndpointStatus;
import java.util.ArrayList;
import java.util.List;

/** Suggests commands for an endpoint in its current state. */
final class EndpointSuggestions {

    private EndpointSuggestions() {}

    static List<String> commandsFor(EndpointView endpoint) {
        String name = ShellQuoting.quote(endpoint.name());
        List<String> commands = new ArrayList<>();
        String lastRun = text(endpoint.lastRun().id());
        if (endpoint.failures() > 0 && !lastRun.isEmpty()) {
            commands.add("escapement runs " + ShellQuoting.quote(lastRun) + "    # the last response");
        }
        EndpointStatus.RemediationState last =
                orEmpty(endpoint.status().remediation(), EndpointStatus.RemediationState.class);
        String execution = text(last.execution());
        if (!execution.isEmpty()) {
            String planned = text(orEmpty(endpoint.endpoint().remediation(), EndpointRemediation.class)
                    .namespace());
            String namespace = text(last.namespace()).isEmpty() ? planned : text(last.namespace());
            boolean usual = namespace.isEmpty() || namespace.equals(ExecutionJsonView.DEFAULT_NAMESPACE);
            commands.add("escapement describe execution "
                    + ExecutionSuggestions.nameArguments(usual ? execution : namespace + "/" + execution)
                    + "    # the remediation");
        }
        switch (endpoint.state()) {
            case "ARCHIVED" -> commands.add("escapement runs --endpoint " + ShellQuoting.quote(endpoint.id()));
            case "PAUSED" -> commands.add("escapement endpoint resume " + name);
            case "FAILING" -> {
                commands.add("escapement endpoint run " + name + " --wait    # after the cause is fixed");
                commands.add("escapement endpoint reset " + name + "    # ends the backoff without a run");
            }
            default -> commands.add("escapement endpoint run " + name + " --wait");
        }
        return commands;
    }
}
