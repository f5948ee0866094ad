package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.config.OperatorSettings;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.operator.OperatorServer;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Works on a cluster. */
@Command(
        name = "operator",
        sortOptions = false,
        description = {
            "Carries the WorkflowExecutions of a Kubernetes cluster on, and stays until Ctrl-C.",
            "",
            "The cluster is the one of KUBECONFIG, of the pod that it runs in, or of ~/.kube/config. The custom",
            "resources have to be there: kubectl apply -f deploy/kubernetes/crds. Every option can also be set in",
            "the environment (--namespace is ESCAPEMENT_NAMESPACE, and so on) and in the settings file. When the",
            "gate lets executions through is set by the ConfigMap workflowexecution-config. Stopping the operator",
            "does not stop runs.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement operator",
            "  escapement operator --kubeconfig ./kubeconfig --engine job",
            "  escapement operator --no-leader-election --port 0"
        })
@ExitsWith({
    ExitCodes.OK,
    ExitCodes.SERVER_ERROR,
    ExitCodes.ADDRESS_IN_USE,
    ExitCodes.DATABASE_UNUSABLE,
    ExitCodes.CLUSTER_UNUSABLE,
    ExitCodes.LEASE_LOST
})
final class OperatorCommand extends ServingCommand<OperatorServer> {

    @Option(names = "--no-leader-election", description = "The same as --leader-election off.")
    private boolean noLeaderElection;

    OperatorCommand(Surroundings surroundings) {
        super(surroundings, SettingsTable.OPERATOR);
    }

    @Override
    void addTo(Map<String, String> flags) {
        if (noLeaderElection) {
            flags.put(OperatorSettings.LEADER_ELECTION.key(), "off");
        }
    }

    @Override
    List<String> remarks(Settings settings) {
        return OperatorServer.ineffectiveSettings(settings);
    }

    @Override
    OperatorServer start(Settings settings) {
        return OperatorServer.start(settings);
    }

    @Override
    void welcome(OperatorServer operator, Settings settings) {
        terminal.line(terminal.in(Tone.GOOD, "Escapement works on the cluster") + ": " + operator.apiServerAddress());
        terminal.line("  page       " + operator.address() + "/");
        terminal.line("  API        " + operator.address() + "/docs");
        terminal.line("  runs       in namespace " + settings.get(OperatorSettings.EXECUTION_NAMESPACE) + ", by "
                + settings.get(OperatorSettings.ENGINE) + " unless an execution says otherwise");
        terminal.line("");
        terminal.line("Ctrl-C stops the operator; runs go on.");
    }

    @Override
    int endedByItself() {
        complain("it must not go on; its log says why. Start it again");
        return ExitCodes.LEASE_LOST;
    }
}
