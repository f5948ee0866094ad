package dev.escapement.testkit.cluster;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** YAML for tests. */
final class ManifestTemplates {

    private ManifestTemplates() {}

    /** Replaces the placeholder of the namespace. */
    static InputStream forNamespace(String namespace, String yaml) {
        return new ByteArrayInputStream(yaml.replace("NAMESPACE", namespace).getBytes(StandardCharsets.UTF_8));
    }
}
