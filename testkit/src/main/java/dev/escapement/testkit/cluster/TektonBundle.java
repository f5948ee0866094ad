package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** A Tekton bundle: an OCI image with one layer for each Tekton object, annotated so that the resolver finds it. */
public final class TektonBundle {

    private static final String MANIFEST_MEDIA_TYPE = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG_MEDIA_TYPE = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER_MEDIA_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";

    private final OciBlob manifest;
    private final List<OciBlob> blobs;

    private TektonBundle(OciBlob manifest, List<OciBlob> blobs) {
        this.manifest = manifest;
        this.blobs = List.copyOf(blobs);
    }

    /**
     * An object in a bundle.
     *
     * @param name for the resolver
     * @param kind in lower case and singular, such as {@code pipeline}
     * @param apiVersion such as {@code tekton.dev/v1}
     * @param yaml the object, as YAML or as JSON
     */
    public record Entry(String name, String kind, String apiVersion, String yaml) {

        public Entry {
            if (!kind.equals(kind.toLowerCase(Locale.ROOT)) || kind.endsWith("s")) {
                throw new IllegalArgumentException("kind is '%s', must be lower case and singular".formatted(kind));
            }
        }
    }

    /** Returns a bundle with one object. */
    public static TektonBundle of(String name, String kind, String apiVersion, String yaml) {
        return of(List.of(new Entry(name, kind, apiVersion, yaml)));
    }

    /** Returns a bundle with several objects; Tekton allows twenty. */
    public static TektonBundle of(List<Entry> entries) {
        KubernetesSerialization json = new KubernetesSerialization();
        List<OciBlob> blobs = new ArrayList<>();
        List<Map<String, Object>> layers = new ArrayList<>();
        List<String> contents = new ArrayList<>();
        for (Entry entry : entries) {
            byte[] tar = TarArchive.of(entry.name(), entry.yaml().getBytes(StandardCharsets.UTF_8));
            OciBlob layer = OciBlob.of(LAYER_MEDIA_TYPE, gzip(tar));
            contents.add(OciBlob.digestOf(tar));
            blobs.add(layer);
            Map<String, Object> described = descriptor(layer);
            described.put(
                    "annotations",
                    Map.of(
                            "dev.tekton.image.name", entry.name(),
                            "dev.tekton.image.kind", entry.kind(),
                            "dev.tekton.image.apiVersion", entry.apiVersion()));
            layers.add(described);
        }
        OciBlob config = jsonBlob(
                json,
                CONFIG_MEDIA_TYPE,
                Map.of(
                        "architecture",
                        "amd64",
                        "os",
                        "linux",
                        "config",
                        Map.of(),
                        "rootfs",
                        Map.of("type", "layers", "diff_ids", contents)));
        blobs.add(config);
        OciBlob manifest = jsonBlob(
                json,
                MANIFEST_MEDIA_TYPE,
                Map.of(
                        "schemaVersion",
                        2,
                        "mediaType",
                        MANIFEST_MEDIA_TYPE,
                        "config",
                        descriptor(config),
                        "layers",
                        layers));
        return new TektonBundle(manifest, blobs);
    }

    /** Returns the digest of the bundle, such as {@code sha256:…}. */
    public String digest() {
        return manifest.digest();
    }

    OciBlob manifest() {
        return manifest;
    }

    /** Returns the configuration and the layers. */
    List<OciBlob> blobs() {
        return blobs;
    }

    private static OciBlob jsonBlob(KubernetesSerialization json, String mediaType, Map<String, Object> content) {
        return OciBlob.of(mediaType, json.asJson(content).getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> descriptor(OciBlob blob) {
        Map<String, Object> descriptor = new LinkedHashMap<>();
        descriptor.put("mediaType", blob.mediaType());
        descriptor.put("digest", blob.digest());
        descriptor.put("size", blob.content().length);
        return descriptor;
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
