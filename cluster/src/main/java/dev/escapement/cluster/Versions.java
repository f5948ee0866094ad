package dev.escapement.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What the cluster is made of.
 *
 * @param etcd such as {@code v3.6.16}
 * @param kubernetes such as {@code v1.36.3}
 * @param tekton such as {@code v1.15.1}
 */
public record Versions(String etcd, String kubernetes, String tekton) {

    private static final String FILE = "versions.properties";

    /** Those that this build is made for. */
    public static Versions pinned() {
        Properties properties = new Properties();
        try (InputStream in = Versions.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + FILE);
            }
            properties.load(in);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return new Versions(of(properties, "etcd"), of(properties, "kubernetes"), of(properties, "tekton"));
    }

    /** The name of the folder in which {@code dev/cluster} keeps binaries of these versions. */
    public String key() {
        return "etcd-%s_kubernetes-%s_tekton-%s".formatted(etcd, kubernetes, tekton);
    }

    private static String of(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        if (value.isEmpty()) {
            throw new IllegalStateException(FILE + " has no " + key);
        }
        return value;
    }
}
