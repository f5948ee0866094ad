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
 * The folder with the files of a cluster.
 *
 * @param path created for the cluster and removed with it
 */
record ClusterDirectory(Path path) {

    static ClusterDirectory create() {
        try {
            // Readable by the owner only: it contains tokens and keys.
            return new ClusterDirectory(Files.createTempDirectory("escapement-cluster-"));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot create a folder for the cluster", refused);
        }
    }

    Path etcdData() {
        return path.resolve("etcd");
    }

    Path certificates() {
        return path.resolve("certificates");
    }

    /** The self-signed certificate that the API server creates at its first start. */
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

    /** Copies a file of the jar into the folder. */
    void copyResource(String name, Path file) throws IOException {
        try (InputStream in = ClusterDirectory.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + name);
            }
            Files.copy(in, file);
        }
    }

    /** Removes the folder. Files that cannot be removed stay in the temporary folder of the system. */
    void remove() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stays) {
            // A remaining file does no harm.
        }
    }
}
