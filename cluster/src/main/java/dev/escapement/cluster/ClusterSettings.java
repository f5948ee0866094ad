package dev.escapement.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What kind of cluster to start.
 *
 * @param binaries the programs
 * @param durable whether etcd waits for the disk at every write. Only a test that cuts the power needs it
 * @param readable whether etcd keeps everything as JSON, so that somebody else can read its history. Kubernetes keeps
 *     its own kinds in a form of its own
 * @param patience how long any one part may take until it is ready
 * @param progress is told what is being done, a line at a time
 */
public record ClusterSettings(
        Binaries binaries, boolean durable, boolean readable, Duration patience, Consumer<String> progress) {

    public ClusterSettings {
        requireNonNull(binaries, "binaries is null");
        requireNonNull(progress, "progress is null");
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience is %s, must be positive".formatted(patience));
        }
    }

    /**
     * The usual: binaries of this process's environment, nothing waits for the disk, a minute and a half for each part.
     */
    public static ClusterSettings standard() {
        return new ClusterSettings(Binaries.ofThisProcess(), false, false, Duration.ofSeconds(90), line -> {});
    }

    /** The same with an etcd that waits for the disk. */
    public ClusterSettings withDurability() {
        return new ClusterSettings(binaries, true, readable, patience, progress);
    }

    /** The same with a history that can be read back from etcd, Jobs and pods included. */
    public ClusterSettings withReadableHistory() {
        return new ClusterSettings(binaries, durable, true, patience, progress);
    }

    /** The same, telling somebody else what is being done. */
    public ClusterSettings withProgress(Consumer<String> listener) {
        return new ClusterSettings(binaries, durable, readable, patience, listener);
    }

    /** The same with other binaries. */
    public ClusterSettings withBinaries(Binaries others) {
        return new ClusterSettings(others, durable, readable, patience, progress);
    }
}
