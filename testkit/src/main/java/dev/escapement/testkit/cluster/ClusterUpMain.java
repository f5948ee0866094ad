package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Starts a local cluster and keeps it running until it is interrupted. Run by {@code dev/cluster up}. */
final class ClusterUpMain {

    static final int OK = 0;
    static final int USAGE = 2;

    /** The cluster cannot be started: programs are missing, or one of them failed. */
    static final int UNAVAILABLE = 69;

    private static final List<String> MANIFESTS = List.of("crds", "rbac.yaml", "config.yaml");

    private static final String HELP = """
            Usage: dev/cluster up [--without-tekton] [--bare]

            Starts a real Kubernetes control plane with Tekton on this machine and runs until Ctrl-C.

            etcd, API server, controller manager and Tekton are real. The only node is simulated: it runs no container,
            and the image of a container selects what happens to it, such as simulated.local/succeed,
            simulated.local/exit:3 or simulated.local/hang. All files are removed when the command ends.

              --without-tekton   only Kubernetes: starts sooner, and is enough for Jobs
              --bare             without Escapement's resources, rights and settings: to install them yourself

            Exit codes: 0 stopped, 2 unknown option, 69 the cluster cannot be started.
            """;

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final Path repository;
    private final Consumer<Runnable> onStop;

    /** @param onStop registers an action for the stop of the process */
    ClusterUpMain(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path repository,
            Consumer<Runnable> onStop) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.repository = repository;
        this.onStop = onStop;
    }

    /** Arguments: the root of the repository, then the options of {@code dev/cluster up}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> given = List.of(args);
        ClusterUpMain program = new ClusterUpMain(
                System.out,
                System.err,
                System.getenv(),
                Path.of(given.get(0)),
                action -> Runtime.getRuntime().addShutdownHook(new Thread(action, "cluster-stop")));
        System.exit(program.run(given.subList(1, given.size())));
    }

    /** Returns the exit code, after the cluster has been stopped. */
    int run(List<String> options) throws IOException, InterruptedException {
        if (options.contains("--help") || options.contains("-h")) {
            out.print(HELP);
            return OK;
        }
        List<String> unknown = new ArrayList<>(options);
        unknown.removeAll(List.of("--without-tekton", "--bare"));
        if (!unknown.isEmpty()) {
            err.println("dev/cluster up: unknown option: " + unknown.get(0) + "\nTry 'dev/cluster up --help'.");
            return USAGE;
        }
        try {
            return runCluster(!options.contains("--without-tekton"), options.contains("--bare"));
        } catch (ClusterException failure) {
            err.println("dev/cluster up: " + failure.getMessage());
            return UNAVAILABLE;
        }
    }

    private int runCluster(boolean tekton, boolean bare) throws IOException, InterruptedException {
        LocalClusterOptions options = LocalClusterOptions.defaults()
                .withBinaries(ClusterBinaries.fromEnvironment(environment, Path.of(System.getProperty("user.home"))))
                .withProgress(err::println);
        CountDownLatch stopped = new CountDownLatch(1);
        try (LocalCluster cluster = LocalCluster.start(options);
                BundleRegistry registry = BundleRegistry.start()) {
            onStop.accept(() -> {
                stop(cluster);
                stopped.countDown();
            });
            cluster.startKubelet();
            Optional<String> bundle = Optional.empty();
            if (tekton) {
                cluster.installTekton();
                bundle = Optional.of(
                        SampleManifests.pushBundle(registry, repository.resolve("examples/kubernetes/pipeline.yaml")));
            }
            if (!bare) {
                Path manifests = repository.resolve("deploy/kubernetes");
                err.println("applying " + manifests);
                MANIFESTS.forEach(part -> cluster.apply(manifests.resolve(part)));
            }
            printInstructions(cluster, options, bundle, bare);
            stopped.await();
            return OK;
        }
    }

    /** Called by the shutdown hook, because try blocks are not left when the process stops. */
    private static void stop(LocalCluster cluster) {
        cluster.close();
    }

    private void printInstructions(
            LocalCluster cluster, LocalClusterOptions options, Optional<String> bundle, boolean bare)
            throws IOException {
        out.println("The cluster is up: " + cluster.apiAddress());
        out.println();
        out.println("In another terminal:");
        out.println("  export KUBECONFIG=" + cluster.kubeconfig());
        out.println("  export PATH=" + options.binaries().folder() + ":$PATH     # for kubectl");
        bundle.ifPresent(reference -> out.println("  export BUNDLE=" + reference + "     # a workflow for Tekton"));
        out.println("  kubectl get nodes");
        if (bundle.isPresent()) {
            printSamples(cluster.directory(), bundle.get(), bare);
        }
        out.println();
        out.println("Logs and the audit log are in " + cluster.directory());
        out.println("Ctrl-C stops the cluster and removes its files.");
        out.flush();
    }

    private void printSamples(Path folder, String bundle, boolean bare) throws IOException {
        out.println("  kubectl create -f " + SampleManifests.writePipelineRun(folder, bundle));
        out.println("  kubectl get pipelineruns,taskruns,pods");
        if (!bare && Files.isExecutable(repository.resolve("escapement"))) {
            out.println("  ./escapement operator     # in a terminal of its own; then");
            out.println("  kubectl create -f " + SampleManifests.writeExecution(folder, bundle));
            out.println("  kubectl get workflowexecutions --watch");
        }
    }
}
