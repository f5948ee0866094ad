package dev.escapement.testkit.cluster;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A cluster to try things on. */
@Command(
        name = "cluster",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {"A real Kubernetes cluster with Tekton on this machine, to try things.", ""},
        footer = {"", "Examples:", "  escapement cluster up"},
        subcommands = {ClusterUpMain.class})
public final class ClusterCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "cluster what? There is: up");
    }
}
