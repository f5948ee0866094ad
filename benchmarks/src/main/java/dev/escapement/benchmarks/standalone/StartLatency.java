package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.report.Percentiles;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The time from the request until its process runs, in milliseconds, by the clock of the machine.
 *
 * @param server through the server
 * @param baseline the same process started directly: the lower limit
 */
record StartLatency(Percentiles server, Percentiles baseline) {

    private static final String STAMP_COMMAND = "date +%s%N > \"$FILE.new\" && mv \"$FILE.new\" \"$FILE\"";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    static StartLatency measure(Path launcher, Path folder, int times)
            throws IOException, InterruptedException, TimeoutException {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        Files.writeString(workflows.resolve("stamp.yaml"), """
                id: stamp
                version: "1"
                description: Records its start time
                parameters:
                  - {name: FILE, type: string, required: true}
                tasks:
                  - name: stamp
                    command: [sh, -c, '%s']
                timeout: 1m
                """.formatted(STAMP_COMMAND));
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ServerProcess server = ServerProcess.startLauncher(launcher, data, workflows);
                RawHttpClient http = new RawHttpClient(server.port())) {
            double[] through = new double[times];
            double[] bare = new double[times];
            for (int i = -times / 5; i < times; i++) {
                double one = measureThroughServer(http, folder.resolve("server-" + i), i);
                double other = baseline(folder.resolve("bare-" + i));
                if (i >= 0) {
                    through[i] = one;
                    bare[i] = other;
                }
            }
            return new StartLatency(Percentiles.of(through), Percentiles.of(bare));
        }
    }

    private static double measureThroughServer(RawHttpClient http, Path stamp, int number)
            throws IOException, TimeoutException {
        String name = "n" + (number + 1_000_000);
        long start = epochNanos();
        RawHttpClient.Response response = http.post("/api/v1/executions", """
                {"apiVersion":"kubernaut.ai/v1alpha1","kind":"WorkflowExecution","metadata":{"name":"%s"},\
                "spec":{"workflowRef":{"workflowId":"stamp"},"targetResource":"node/%s","parameters":{"FILE":"%s"}}}""".formatted(name, name, stamp));
        if (response.status() != 201) {
            throw new IOException("the execution was not created: " + response);
        }
        return (readStamp(stamp) - start) / 1e6;
    }

    private static double baseline(Path stamp) throws IOException, InterruptedException, TimeoutException {
        long start = epochNanos();
        ProcessBuilder builder = new ProcessBuilder(List.of("setsid", "sh", "-c", STAMP_COMMAND));
        builder.environment().put("FILE", stamp.toString());
        Process process = builder.start();
        double milliseconds = (readStamp(stamp) - start) / 1e6;
        process.waitFor();
        return milliseconds;
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private static long readStamp(Path stamp) throws IOException, TimeoutException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.exists(stamp)) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("no process wrote " + stamp);
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return Long.parseLong(Files.readString(stamp).strip());
    }
}
