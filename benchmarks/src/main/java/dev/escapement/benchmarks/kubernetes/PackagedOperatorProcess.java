package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.report.MetricsScrape;
import dev.escapement.crashtests.kit.JavaTools;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.ServerProcess;
import dev.escapement.testkit.FreePorts;
import dev.escapement.testkit.cluster.Kubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** The packaged operator in a process of its own, with the permissions of its service account. */
final class PackagedOperatorProcess extends ServerProcess {

    private static final Path JAR = Path.of("cli", "target", "escapement.jar");

    private PackagedOperatorProcess(Map<String, String> environment, int port, Path data) throws IOException {
        super(command(), environment, port, data);
    }

    /** Starts the operator and waits until it is ready. Its log is in the folder. */
    static PackagedOperatorProcess start(Kubeconfig kubeconfig, Path folder) throws IOException, TimeoutException {
        return start(kubeconfig, folder, Map.of());
    }

    /** @param settings further environment variables */
    static PackagedOperatorProcess start(Kubeconfig kubeconfig, Path folder, Map<String, String> settings)
            throws IOException, TimeoutException {
        Path data = Files.createTempDirectory(folder, "operator");
        int port = FreePorts.allocateOne();
        Map<String, String> environment = new TreeMap<>(settings);
        environment.put("KUBECONFIG", kubeconfig.file().toString());
        environment.put("ESCAPEMENT_PORT", Integer.toString(port));
        environment.put("ESCAPEMENT_DATA", data.toString());
        environment.put("ESCAPEMENT_LOG_LEVEL", "warn");
        // As in a pod, so that the requests for the lease are counted.
        environment.put("ESCAPEMENT_LEADER_ELECTION", "on");
        PackagedOperatorProcess operator = new PackagedOperatorProcess(environment, port, data);
        try {
            operator.awaitReady();
            return operator;
        } catch (TimeoutException failure) {
            operator.close();
            throw failure;
        }
    }

    /** As in its container: the optimising compiler, a heap within 512 MB. */
    private static List<String> command() {
        List<String> command = new ArrayList<>(jarCommand(JAR, "-Xmx358m"));
        command.addAll(List.of("operator", "--authentication", "none"));
        return command;
    }

    /** Returns the number of Events that are still to be published, by its metrics. */
    int queuedEventCount() throws IOException {
        try (RawHttpClient http = new RawHttpClient(port())) {
            return (int) MetricsScrape.fetch(http).sum("escapement_kubernetes_events_waiting");
        }
    }

    /** Returns the heap in use after a garbage collection, in bytes. */
    long heapUsedAfterGc() throws IOException {
        JavaTools.jcmd(handle(), "GC.run");
        return HeapInfo.parseUsedBytes(JavaTools.jcmd(handle(), "GC.heap_info"));
    }
}
