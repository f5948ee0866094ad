package dev.escapement.server.cli;

import dev.escapement.server.Operating;
import dev.escapement.server.StartException;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.settings.ClusterSettings;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsReader;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.settings.Sources;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Works on a cluster. Its options are taken from the table that describes the settings. */
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
final class OperatorCommand implements Callable<Integer> {

    private final Surroundings surroundings;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", description = "Only say what every setting is and where it comes from; start nothing.")
    private boolean check;

    @Option(names = "--no-leader-election", description = "The same as --leader-election off.")
    private boolean noLeaderElection;

    OperatorCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() throws InterruptedException {
        Settings settings = SettingsReader.read(
                new Sources(flags(), surroundings.environment(), surroundings.home(), surroundings.workingDirectory()));
        if (check) {
            UpCommand.print(terminal, settings, SettingsTable.OF_OPERATOR);
            Operating.withoutEffect(settings)
                    .forEach(said -> terminal.err().println("escapement operator: " + said));
            return ExitCodes.OK;
        }
        try {
            return work(settings);
        } catch (StartException failure) {
            terminal.err().println("escapement operator: " + failure.getMessage());
            return ExitCodes.of(failure);
        }
    }

    private int work(Settings settings) throws InterruptedException {
        AtomicBoolean asked = new AtomicBoolean();
        try (Operating operator = Operating.start(settings);
                Interrupts.Registration stop = surroundings.interrupts().onStop(() -> stop(operator, asked))) {
            welcome(operator, settings);
            operator.awaitEnd();
            assert stop != null;
        }
        if (!asked.get()) {
            terminal.err().println("escapement operator: it must not go on; its log says why. Start it again");
        }
        return asked.get() ? ExitCodes.OK : ExitCodes.LEASE_LOST;
    }

    private static void stop(Operating operator, AtomicBoolean asked) {
        asked.set(true);
        operator.close();
    }

    private void welcome(Operating operator, Settings settings) {
        terminal.line(terminal.in(Tone.GOOD, "Escapement works on the cluster") + ": " + operator.cluster());
        terminal.line("  page       " + operator.address() + "/");
        terminal.line("  API        " + operator.address() + "/docs");
        terminal.line("  runs       in namespace " + settings.get(ClusterSettings.EXECUTION_NAMESPACE) + ", by "
                + settings.get(ClusterSettings.ENGINE) + " unless an execution says otherwise");
        terminal.line("");
        terminal.line("Ctrl-C stops the operator; runs go on.");
        terminal.out().flush();
    }

    private Map<String, String> flags() {
        Map<String, String> flags = UpCommand.flags(spec.commandLine().getParseResult(), SettingsTable.OF_OPERATOR);
        if (noLeaderElection) {
            flags.put(ClusterSettings.LEADER_ELECTION.key(), "off");
        }
        return flags;
    }
}
