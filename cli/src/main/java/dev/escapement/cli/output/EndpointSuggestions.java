package dev.escapement.cli.output;

import java.util.ArrayList;
import java.util.List;

/** What a person may want to do about an endpoint: the commands, ready to type. */
final class EndpointSuggestions {

    private EndpointSuggestions() {}

    static List<String> commandsFor(EndpointJsonView endpoint) {
        String name = ShellQuoting.quote(endpoint.name());
        List<String> steps = new ArrayList<>();
        String last = endpoint.text("/status/lastRun/id");
        if (endpoint.failures() > 0 && !last.isEmpty()) {
            steps.add("escapement runs " + ShellQuoting.quote(last) + "    # what came back");
        }
        String execution = endpoint.text("/status/remediation/execution");
        if (!execution.isEmpty()) {
            String there = endpoint.text("/status/remediation/namespace");
            String namespace = there.isEmpty() ? endpoint.text("/remediation/namespace") : there;
            boolean usual = namespace.isEmpty() || namespace.equals(ExecutionJsonView.DEFAULT_NAMESPACE);
            steps.add("escapement describe execution "
                    + ExecutionSuggestions.nameArguments(usual ? execution : namespace + "/" + execution)
                    + "    # the remediation");
        }
        switch (endpoint.text("/status/state")) {
            case "ARCHIVED" -> steps.add("escapement runs --endpoint " + ShellQuoting.quote(endpoint.id()));
            case "PAUSED" -> steps.add("escapement endpoint resume " + name);
            case "FAILING" -> {
                steps.add("escapement endpoint run " + name + " --wait    # when the cause is gone");
                steps.add("escapement endpoint reset " + name + "    # back to the baseline without a run");
            }
            default -> steps.add("escapement endpoint run " + name + " --wait");
        }
        return steps;
    }
}
