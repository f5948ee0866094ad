package dev.escapement.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Suggests commands for an endpoint in its current state. */
final class EndpointSuggestions {

    private EndpointSuggestions() {}

    static List<String> commandsFor(EndpointJsonView endpoint) {
        String name = ShellQuoting.quote(endpoint.name());
        List<String> commands = new ArrayList<>();
        String lastRun = endpoint.text("/status/lastRun/id");
        if (endpoint.failures() > 0 && !lastRun.isEmpty()) {
            commands.add("escapement runs " + ShellQuoting.quote(lastRun) + "    # the last response");
        }
        String execution = endpoint.text("/status/remediation/execution");
        if (!execution.isEmpty()) {
            String actual = endpoint.text("/status/remediation/namespace");
            String namespace = actual.isEmpty() ? endpoint.text("/remediation/namespace") : actual;
            boolean usual = namespace.isEmpty() || namespace.equals(ExecutionJsonView.DEFAULT_NAMESPACE);
            commands.add("escapement describe execution "
                    + ExecutionSuggestions.nameArguments(usual ? execution : namespace + "/" + execution)
                    + "    # the remediation");
        }
        switch (endpoint.text("/status/state")) {
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
