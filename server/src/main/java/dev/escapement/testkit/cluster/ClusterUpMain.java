package dev.escapement.testkit.cluster;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a cluster and stays. */
@Command(
        name = "up",
        sortOptions = false,
        description = {
            "Starts a real Kubernetes control plane with Tekton on this machine and stays until Ctrl-C.",
            "",
            "etcd, API server, controller manager and Tekton are real; the only node is simulated: it runs nothing,",
            "and the image of a container says what happens to it, such as simulated.local/succeed,",
            "simulated.local/exit:3 or simulated.local/hang. Nothing outlives the command.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement cluster up",
            "  escapement cluster up --without-tekton",
            "  escapement cluster up --bare"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.CLUSTER_UNUSABLE})
final class ClusterUpMain implements Callable<Integer> {

    /** Set by the launcher: where the clone is. */
    private static final String HOME_PROPERTY = "escapement.home";

    private static final List<String> MANIFESTS = List.of("crds", "rbac.yaml", "config.yaml");

    private final CommandContext context;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--without-tekton", description = "Only Kubernetes: quicker, and enough for Jobs.")
    private boolean withoutTekton;

    @Option(
            names = "--bare",
            description = "Without Escapement's resources, rights and rules: to install them yourself.")
    private boolean bare;

    ClusterUpMain(CommandContext surroundings) {
        this.context = surroundings;
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        LocalClusterOptions settings = LocalClusterOptions.defaults()
                .withBinaries(ClusterBinaries.fromEnvironment(context.environment(), context.home()))
                .withProgress(this::printProgress);
        CountDownLatch stopped = new CountDownLatch(1);
        try (LocalCluster cluster = LocalCluster.start(settings);
                BundleRegistry registry = BundleRegistry.start();
                ShutdownSignals.Registration stop = context.shutdownSignals().onStop(() -> {
                    closeCluster(cluster);
                    stopped.countDown();
                })) {
            assert stop != null;
            cluster.startKubelet();
            if (!withoutTekton) {
                cluster.installTekton();
            }
            boolean ours = applyManifests(cluster);
            Optional<String> bundle = pushSampleBundle(registry);
            printInstructions(
                    cluster,
                    settings,
                    bundle,
                    bundle.isEmpty() ? List.of() : writeSamples(cluster, bundle.get(), ours));
            stopped.await();
            return ExitCodes.OK;
        } catch (ClusterException failure) {
            terminal.err().println("escapement cluster up: " + failure.getMessage());
            return ExitCodes.CLUSTER_UNUSABLE;
        }
    }

    private static void closeCluster(LocalCluster cluster) {
        cluster.close();
    }

    private void printProgress(String line) {
        terminal.err().println(line);
    }

    /**
     * What an installation consists of, where the program runs from a clone; without the operator, which runs outside.
     */
    private boolean applyManifests(LocalCluster cluster) {
        Path manifests = repositoryHome().resolve("deploy/kubernetes");
        if (bare || !Files.isDirectory(manifests)) {
            return false;
        }
        printProgress("applying " + manifests);
        MANIFESTS.forEach(part -> cluster.apply(manifests.resolve(part)));
        return true;
    }

    private Path repositoryHome() {
        return Path.of(
                System.getProperty(HOME_PROPERTY, context.workingDirectory().toString()));
    }

    /** The example, if the program runs from a clone. */
    private Optional<String> pushSampleBundle(BundleRegistry registry) throws IOException {
        Path pipeline = repositoryHome().resolve("examples/kubernetes/pipeline.yaml");
        return withoutTekton || !Files.isReadable(pipeline)
                ? Optional.empty()
                : Optional.of(SampleManifests.pushBundle(registry, pipeline));
    }

    private List<String> writeSamples(LocalCluster cluster, String bundle, boolean ours) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("kubectl create -f " + SampleManifests.writePipelineRun(cluster.directory(), bundle));
        lines.add("kubectl get pipelineruns,taskruns,pods");
        if (ours && spec.root().subcommands().containsKey("operator")) {
            lines.add("./escapement operator     # in a terminal of its own; then");
            lines.add("kubectl create -f " + SampleManifests.writeExecution(cluster.directory(), bundle));
            lines.add("kubectl get workflowexecutions --watch");
        }
        return lines;
    }

    private void printInstructions(
            LocalCluster cluster, LocalClusterOptions settings, Optional<String> bundle, List<String> samples) {
        terminal.printLine(terminal.styled(TerminalStyle.SUCCESS, "The cluster is up") + ": " + cluster.apiAddress());
        terminal.printLine("");
        terminal.printLine("In another terminal:");
        terminal.printLine("  export KUBECONFIG=" + cluster.kubeconfig());
        terminal.printLine("  export PATH=" + settings.binaries().folder() + ":$PATH     # for kubectl");
        bundle.ifPresent(
                reference -> terminal.printLine("  export BUNDLE=" + reference + "     # a workflow for Tekton"));
        terminal.printLine("  kubectl get nodes");
        samples.forEach(line -> terminal.printLine("  " + line));
        terminal.printLine("");
        terminal.printLine("Logs and the audit log are in " + cluster.directory());
        terminal.printLine("Ctrl-C ends the cluster and removes all of it.");
        terminal.out().flush();
    }
}
