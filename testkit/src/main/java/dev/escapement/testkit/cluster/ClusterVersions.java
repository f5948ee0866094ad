package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The versions of the programs of a cluster.
 *
 * @param etcd such as {@code v3.6.16}
 * @param kubernetes such as {@code v1.36.3}
 * @param tekton such as {@code v1.15.1}
 */
public record ClusterVersions(String etcd, String kubernetes, String tekton) {

    private static final String RESOURCE = "versions.properties";

    /** Returns the pinned versions. */
    public static ClusterVersions pinned() {
        Properties properties = new Properties();
        try (InputStream in = ClusterVersions.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + RESOURCE);
            }
            properties.load(in);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return new ClusterVersions(
                requiredProperty(properties, "etcd"),
                requiredProperty(properties, "kubernetes"),
                requiredProperty(properties, "tekton"));
    }

    /** Returns the name of the folder of {@code dev/cluster} for these versions. */
    public String directoryName() {
        return "etcd-%s_kubernetes-%s_tekton-%s".formatted(etcd, kubernetes, tekton);
    }

    private static String requiredProperty(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        if (value.isEmpty()) {
            throw new IllegalStateException(RESOURCE + " has no " + key);
        }
        return value;
    }
}
