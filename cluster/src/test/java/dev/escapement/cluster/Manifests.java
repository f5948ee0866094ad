package dev.escapement.cluster;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** YAML for tests. */
final class Manifests {

    private Manifests() {}

    /** The text with its namespace put in. */
    static InputStream in(String namespace, String yaml) {
        return new ByteArrayInputStream(yaml.replace("NAMESPACE", namespace).getBytes(StandardCharsets.UTF_8));
    }
}
