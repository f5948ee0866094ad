package dev.escapement.testkit.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of a cluster.
 *
 * @param binaries the programs
 * @param durable whether etcd waits for the disk at every write, which most tests do not need
 * @param jsonStorage whether etcd stores everything as JSON, so that a test can read its history. By default Kubernetes
 *     stores its own kinds in a binary format
 * @param readyTimeout how long each program may take until it is ready
 * @param progress receives progress messages
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

    /** Returns the defaults: binaries of the environment of this process, no durability, 90 s for each program. */
    public static LocalClusterOptions defaults() {
        return new LocalClusterOptions(
                ClusterBinaries.ofCurrentProcess(), false, false, Duration.ofSeconds(90), line -> {});
    }

    /** Returns these options with an etcd that waits for the disk. */
    public LocalClusterOptions withDurability() {
        return new LocalClusterOptions(binaries, true, jsonStorage, readyTimeout, progress);
    }

    /** Returns these options with a history that can be read from etcd, including Jobs and pods. */
    public LocalClusterOptions withJsonStorage() {
        return new LocalClusterOptions(binaries, durable, true, readyTimeout, progress);
    }

    /** Returns these options with another receiver of progress messages. */
    public LocalClusterOptions withProgress(Consumer<String> listener) {
        return new LocalClusterOptions(binaries, durable, jsonStorage, readyTimeout, listener);
    }

    /** Returns these options with other binaries. */
    public LocalClusterOptions withBinaries(ClusterBinaries others) {
        return new LocalClusterOptions(others, durable, jsonStorage, readyTimeout, progress);
    }
}
