package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.testkit.cluster.Kubeconfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator as it is shipped: the packaged program in a process of its own, with the rights of its service account.
 */
final class PackagedOperatorProcess implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Pattern PAGE_URL = Pattern.compile("page +http://[^:]+:([0-9]+)/");
    private static final Path JAR = Path.of("cli", "target", "escapement.jar");

    private final Process process;
    private final int port;
    private final Path log;

    /** Starts it with the given identity; returns when it is ready. Its log is kept in the folder. */
    PackagedOperatorProcess(Kubeconfig access, Path folder) throws Exception {
        Path data = Files.createTempDirectory(folder, "operator");
        log = data.resolveSibling(data.getFileName() + ".log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        javaTool("java"),
                        "-XX:+UseSerialGC",
                        // As its container is started: the compiler for servers, a heap within 512 MB.
                        "-Xmx358m",
                        "-jar",
                        JAR.toString(),
                        "operator"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("KUBECONFIG", access.file().toString());
        builder.environment().put("ESCAPEMENT_PORT", "0");
        builder.environment().put("ESCAPEMENT_DATA", data.toString());
        builder.environment().put("ESCAPEMENT_LOG_LEVEL", "warn");
        // As in a pod: it shows what the lease costs.
        builder.environment().put("ESCAPEMENT_LEADER_ELECTION", "on");
        process = builder.start();
        BenchmarkWait.waitUntil(
                () -> announcedPort().isPresent(), TIMEOUT, "the operator does not say where it listens; see " + log);
        port = announcedPort().getAsInt();
        BenchmarkWait.waitUntil(this::isReady, TIMEOUT, "the operator is not ready; see " + log);
    }

    /** It chooses a free one and says so. */
    private OptionalInt announcedPort() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the operator ended; see " + log + ":\n" + Files.readString(log));
        }
        Matcher page = PAGE_URL.matcher(Files.readString(log));
        return page.find() ? OptionalInt.of(Integer.parseInt(page.group(1))) : OptionalInt.empty();
    }

    private boolean isReady() {
        try (RawHttpClient http = new RawHttpClient(port)) {
            return http.get("/health/ready").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Events that it has yet to tell, as it says itself. */
    int queuedEventCount() throws IOException {
        try (RawHttpClient http = new RawHttpClient(port)) {
            return http.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("escapement_kubernetes_events_waiting "))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    /** Heap in use after a collection, in bytes. */
    long heapUsedAfterGc() throws IOException {
        runJcmd("GC.run");
        return HeapInfo.parseUsedBytes(runJcmd("GC.heap_info"));
    }

    private String runJcmd(String command) throws IOException {
        Process tool = new ProcessBuilder(javaTool("jcmd"), Long.toString(process.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String javaTool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException tooLong) {
            process.destroyForcibly().onExit().join();
        }
    }
}
