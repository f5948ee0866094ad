package dev.escapement.cli.option;

import dev.escapement.cli.output.ExecutionView;
import picocli.CommandLine.Option;

/** The option that selects the namespace of an execution. */
public final class NamespaceOption {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = ExecutionView.DEFAULT_NAMESPACE,
            description = "Namespace of the execution. Default: ${DEFAULT-VALUE}")
    private String name = ExecutionView.DEFAULT_NAMESPACE;

    public String name() {
        return name;
    }
}
