package dev.escapement.testkit.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What kind of cluster to start.
 *
 * @param binaries the programs
 * @param durable whether etcd waits for the disk at every write. Only a test that cuts the power needs it
 * @param jsonStorage whether etcd keeps everything as JSON, so that somebody else can read its history. Kubernetes
 *     keeps its own kinds in a form of its own
 * @param readyTimeout how long any one part may take until it is ready
 * @param progress is told what is being done, a line at a time
 */
public record LocalClusterOptions(
        ClusterBinaries binaries,
        boolean durable,
        boolean jsonStorage,
        Duration readyTimeout,
        Consumer<String> progress) {

    public LocalClusterOptions {
        requireNonNull(binaries, "binaries is null");
        requireNonNull(progress, "progress is null");
        if (readyTimeout.isNegative() || readyTimeout.isZero()) {
            throw new IllegalArgumentException("timeout is %s, must be positive".formatted(readyTimeout));
        }
    }

    /**
     * The usual: binaries of this process's environment, nothing waits for the disk, a minute and a half for each part.
     */
    public static LocalClusterOptions defaults() {
        return new LocalClusterOptions(
                ClusterBinaries.ofCurrentProcess(), false, false, Duration.ofSeconds(90), line -> {});
    }

    /** The same with an etcd that waits for the disk. */
    public LocalClusterOptions withDurability() {
        return new LocalClusterOptions(binaries, true, jsonStorage, readyTimeout, progress);
    }

    /** The same with a history that can be read back from etcd, Jobs and pods included. */
    public LocalClusterOptions withJsonStorage() {
        return new LocalClusterOptions(binaries, durable, true, readyTimeout, progress);
    }

    /** The same, telling somebody else what is being done. */
    public LocalClusterOptions withProgress(Consumer<String> listener) {
        return new LocalClusterOptions(binaries, durable, jsonStorage, readyTimeout, listener);
    }

    /** The same with other binaries. */
    public LocalClusterOptions withBinaries(ClusterBinaries others) {
        return new LocalClusterOptions(others, durable, jsonStorage, readyTimeout, progress);
    }
}
