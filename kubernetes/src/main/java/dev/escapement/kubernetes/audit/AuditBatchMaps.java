package dev.escapement.kubernetes.audit;

import dev.escapement.common.Digests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Stores batches of records as immutable ConfigMaps. The name follows from the records, so that two operators that
 * store the same records do not disturb each other.
 */
record AuditBatchMaps(KubernetesClient client, String namespace) {

    private static final String NAME_PREFIX = "escapement-audit-";
    private static final String LABEL = "kubernaut.ai/audit-batch";
    private static final String KEY = "records.jsonl.gz";
    private static final int HASH_BYTES = 16;

    /** Stores records; returns the name. */
    String create(List<String> documents) {
        String text = String.join("\n", documents);
        String name = NAME_PREFIX + Digests.sha256Hex(text, HASH_BYTES);
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(LABEL, "true")
                .addToLabels("app.kubernetes.io/part-of", "escapement")
                .endMetadata()
                .withImmutable(true)
                .addToBinaryData(KEY, Base64.getEncoder().encodeToString(compress(text)))
                .build();
        try {
            client.resource(map).create();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
        return name;
    }

    /** Returns the records; empty if the ConfigMap was removed. */
    Optional<List<String>> read(String name) {
        return Optional.ofNullable(client.configMaps()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(map -> decompress(
                                Base64.getDecoder().decode(map.getBinaryData().get(KEY)))
                        .lines()
                        .toList());
    }

    void delete(String name) {
        client.configMaps().inNamespace(namespace).withName(name).delete();
    }

    /** Deletes what a crash has left: batches that no position names, if they are old. */
    void deleteUnreferenced(Set<String> referenced, Instant createdBefore) {
        client.configMaps().inNamespace(namespace).withLabel(LABEL, "true").list().getItems().stream()
                .map(ConfigMap::getMetadata)
                .filter(meta -> !referenced.contains(meta.getName()))
                .filter(meta -> Instant.parse(meta.getCreationTimestamp()).isBefore(createdBefore))
                .forEach(meta -> delete(meta.getName()));
    }

    private static byte[] compress(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static String decompress(byte[] bytes) {
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException corrupt) {
            throw new UncheckedIOException(corrupt);
        }
    }
}
