package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a cluster keeps its files.
 *
 * @param path that was made for it, and goes with it
 */
record ClusterDirectory(Path path) {

    static ClusterDirectory create() {
        try {
            // The owner alone may enter: there are tokens and keys inside.
            return new ClusterDirectory(Files.createTempDirectory("escapement-cluster-"));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot make a folder for the cluster", refused);
        }
    }

    Path etcdData() {
        return path.resolve("etcd");
    }

    Path certificates() {
        return path.resolve("certificates");
    }

    /** The API server makes its own certificate at its first start; it is its own authority. */
    Path certificateAuthority() {
        return certificates().resolve("apiserver.crt");
    }

    Path servingKey() {
        return certificates().resolve("apiserver.key");
    }

    Path tokenFile() {
        return path.resolve("tokens.csv");
    }

    Path auditLog() {
        return path.resolve("audit.log");
    }

    Path auditPolicy() {
        return path.resolve("audit-policy.yaml");
    }

    Path kubeconfig(String name) {
        return path.resolve(name + ".kubeconfig");
    }

    /** Puts a file of the jar into the folder. */
    void copyResource(String name, Path file) throws IOException {
        try (InputStream in = ClusterDirectory.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + name);
            }
            Files.copy(in, file);
        }
    }

    /** Removes everything. What cannot be removed stays: the system clears such folders some day. */
    void remove() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stays) {
            // Nothing depends on it.
        }
    }
}
