package dev.escapement.cli.command.service;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.DashboardAddress;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.operator.OperatorServer;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "operator",
        description = {
            "Runs the operator: processes the WorkflowExecutions of a Kubernetes cluster until Ctrl-C.",
            "",
            "Connects to the cluster of KUBECONFIG, of the pod it runs in, or of ~/.kube/config. The custom",
            "resources must be installed: kubectl apply -f deploy/kubernetes/crds. Every option can also be set in",
            "the environment (--namespace is ESCAPEMENT_NAMESPACE, and so on) and in the settings file. The policy",
            "of the gate comes from the ConfigMap workflowexecution-config. Runs continue when the operator stops."
        },
        footer = {
            "  escapement operator",
            "  escapement operator --kubeconfig ./kubeconfig --engine job",
            "  escapement operator --no-leader-election --port 0"
        })
@ExitCodes.Documented({ExitCodes.CLUSTER_UNUSABLE, ExitCodes.LEASE_LOST})
public final class OperatorCommand extends ServiceCommand<OperatorServer> {

    @Option(names = "--no-leader-election", description = "The same as --leader-election off.")
    private boolean noLeaderElection;

    OperatorCommand() {
        super(SettingsTable.OPERATOR, OperatorServer::start);
    }

    @Override
    void addAliasFlags(Map<String, String> flags) {
        if (noLeaderElection) {
            flags.put(SettingsTable.LEADER_ELECTION.key(), "off");
        }
    }

    @Override
    List<String> settingWarnings(Settings settings) {
        return OperatorServer.ineffectiveSettings(settings);
    }

    @Override
    void printStarted(OperatorServer operator, Settings settings) {
        terminal.printLine(terminal.styled(TerminalStyle.SUCCESS, "Escapement operator is up") + ": cluster "
                + operator.apiServerAddress());
        terminal.printLine("  dashboard  " + DashboardAddress.of(operator, settings, context));
        terminal.printLine("  API        " + operator.address() + "/docs");
        terminal.printLine("  runs       in namespace " + settings.get(SettingsTable.EXECUTION_NAMESPACE)
                + ", default engine " + settings.get(SettingsTable.ENGINE));
        terminal.printLine("");
        terminal.printLine("Ctrl-C stops the operator; runs continue.");
    }

    @Override
    int reportUnexpectedEnd() {
        printError("the operator stopped unexpectedly; its log has the reason. Start it again");
        return ExitCodes.LEASE_LOST;
    }
}
