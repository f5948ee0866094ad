package dev.escapement.server.cli;

import dev.escapement.cluster.Binaries;
import dev.escapement.cluster.BundleRegistry;
import dev.escapement.cluster.Cluster;
import dev.escapement.cluster.ClusterException;
import dev.escapement.cluster.ClusterSettings;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Tone;
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
@ExitsWith({ExitCodes.OK, ExitCodes.CLUSTER_UNUSABLE})
final class ClusterUpCommand implements Callable<Integer> {

    /** Set by the launcher: where the clone is. */
    private static final String HOME = "escapement.home";

    private static final List<String> OURS = List.of("crds", "rbac.yaml", "config.yaml");

    private final Surroundings surroundings;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--without-tekton", description = "Only Kubernetes: quicker, and enough for Jobs.")
    private boolean withoutTekton;

    @Option(
            names = "--bare",
            description = "Without Escapement's resources, rights and rules: to install them yourself.")
    private boolean bare;

    ClusterUpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterSettings settings = ClusterSettings.standard()
                .withBinaries(Binaries.of(surroundings.environment(), surroundings.home()))
                .withProgress(this::progress);
        CountDownLatch stopped = new CountDownLatch(1);
        try (Cluster cluster = Cluster.start(settings);
                BundleRegistry registry = BundleRegistry.start();
                Interrupts.Registration stop = surroundings.interrupts().onStop(() -> {
                    end(cluster);
                    stopped.countDown();
                })) {
            assert stop != null;
            cluster.startKubelet();
            if (!withoutTekton) {
                cluster.installTekton();
            }
            boolean ours = applyOurs(cluster);
            Optional<String> bundle = bundle(registry);
            welcome(cluster, settings, bundle, bundle.isEmpty() ? List.of() : samples(cluster, bundle.get(), ours));
            stopped.await();
            return ExitCodes.OK;
        } catch (ClusterException failure) {
            terminal.err().println("escapement cluster up: " + failure.getMessage());
            return ExitCodes.CLUSTER_UNUSABLE;
        }
    }

    private static void end(Cluster cluster) {
        cluster.close();
    }

    private void progress(String line) {
        terminal.err().println(line);
    }

    /**
     * What an installation consists of, where the program runs from a clone; without the operator, which runs outside.
     */
    private boolean applyOurs(Cluster cluster) {
        Path manifests = home().resolve("deploy/kubernetes");
        if (bare || !Files.isDirectory(manifests)) {
            return false;
        }
        progress("applying " + manifests);
        OURS.forEach(part -> cluster.apply(manifests.resolve(part)));
        return true;
    }

    private Path home() {
        return Path.of(System.getProperty(HOME, surroundings.workingDirectory().toString()));
    }

    /** The example, if the program runs from a clone. */
    private Optional<String> bundle(BundleRegistry registry) throws IOException {
        Path pipeline = home().resolve("examples/kubernetes/pipeline.yaml");
        return withoutTekton || !Files.isReadable(pipeline)
                ? Optional.empty()
                : Optional.of(ClusterSample.bundle(registry, pipeline));
    }

    private List<String> samples(Cluster cluster, String bundle, boolean ours) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("kubectl create -f " + ClusterSample.run(cluster.folder(), bundle));
        lines.add("kubectl get pipelineruns,taskruns,pods");
        if (ours && spec.root().subcommands().containsKey("operator")) {
            lines.add("./escapement operator     # in a terminal of its own; then");
            lines.add("kubectl create -f " + ClusterSample.execution(cluster.folder(), bundle));
            lines.add("kubectl get workflowexecutions --watch");
        }
        return lines;
    }

    private void welcome(Cluster cluster, ClusterSettings settings, Optional<String> bundle, List<String> samples) {
        terminal.line(terminal.in(Tone.GOOD, "The cluster is up") + ": " + cluster.apiAddress());
        terminal.line("");
        terminal.line("In another terminal:");
        terminal.line("  export KUBECONFIG=" + cluster.kubeconfig());
        terminal.line("  export PATH=" + settings.binaries().folder() + ":$PATH     # for kubectl");
        bundle.ifPresent(reference -> terminal.line("  export BUNDLE=" + reference + "     # a workflow for Tekton"));
        terminal.line("  kubectl get nodes");
        samples.forEach(line -> terminal.line("  " + line));
        terminal.line("");
        terminal.line("Logs and the audit log are in " + cluster.folder());
        terminal.line("Ctrl-C ends the cluster and removes all of it.");
        terminal.out().flush();
    }
}
