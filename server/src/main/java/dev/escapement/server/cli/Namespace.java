package dev.escapement.server.cli;

import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.ExecutionView;
import picocli.CommandLine.Option;

/** The option that says in which namespace an execution is. */
final class Namespace {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = ExecutionView.DEFAULT_NAMESPACE,
            description = {"The namespace of the execution. Default: ${DEFAULT-VALUE}"})
    private String name = ExecutionView.DEFAULT_NAMESPACE;

    String name() {
        return name;
    }

    /** The execution of this name in this namespace. */
    Resource execution(String execution) {
        return Resource.of("executions", execution).with("namespace", name);
    }

    /** Something about the execution of this name in this namespace. */
    Resource execution(String execution, String what) {
        return Resource.of("executions", execution, what).with("namespace", name);
    }
}
