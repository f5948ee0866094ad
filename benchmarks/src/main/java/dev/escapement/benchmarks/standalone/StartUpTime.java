package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.report.Percentiles;
import dev.escapement.crashtests.kit.JavaTools;
import dev.escapement.crashtests.kit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * The time from the command until the server is ready, in milliseconds.
 *
 * @param empty with an empty data folder
 * @param existing with a data folder that a server has used before
 * @param jvm a JVM that prints its version: the lower limit
 */
record StartUpTime(Percentiles empty, Percentiles existing, Percentiles jvm) {

    static StartUpTime measure(Path launcher, Path folder, int times)
            throws IOException, InterruptedException, TimeoutException {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        // The launcher may have to build, and creates its class archive once.
        measureServer(launcher, Files.createDirectories(folder.resolve("first")), workflows);
        double[] empty = new double[times];
        double[] existing = new double[times];
        double[] bare = new double[times];
        for (int i = 0; i < times; i++) {
            Path data = Files.createDirectories(folder.resolve("data-" + i));
            empty[i] = measureServer(launcher, data, workflows);
            existing[i] = measureServer(launcher, data, workflows);
            bare[i] = measureBareJvm();
        }
        return new StartUpTime(Percentiles.of(empty), Percentiles.of(existing), Percentiles.of(bare));
    }

    private static double measureServer(Path launcher, Path data, Path workflows)
            throws IOException, InterruptedException, TimeoutException {
        long start = System.nanoTime();
        ServerProcess server = ServerProcess.startLauncher(launcher, data, workflows);
        double milliseconds = (System.nanoTime() - start) / 1e6;
        server.close();
        return milliseconds;
    }

    private static double measureBareJvm() throws IOException, InterruptedException {
        long start = System.nanoTime();
        new ProcessBuilder(List.of(JavaTools.path("java"), "-version"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        return (System.nanoTime() - start) / 1e6;
    }
}
