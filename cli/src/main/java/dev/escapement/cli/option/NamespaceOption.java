package dev.escapement.cli.option;

import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.output.ExecutionJsonView;
import picocli.CommandLine.Option;

/** The option that says in which namespace an execution is. */
public final class NamespaceOption {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = ExecutionJsonView.DEFAULT_NAMESPACE,
            description = {"The namespace of the execution. Default: ${DEFAULT-VALUE}"})
    private String name = ExecutionJsonView.DEFAULT_NAMESPACE;

    public String name() {
        return name;
    }

    /** The execution of this name in this namespace. */
    public ApiPath executionPath(String execution) {
        return ApiPath.of("executions", execution).withParameter("namespace", name);
    }

    /** Something about the execution of this name in this namespace. */
    public ApiPath executionPath(String execution, String what) {
        return ApiPath.of("executions", execution, what).withParameter("namespace", name);
    }
}
