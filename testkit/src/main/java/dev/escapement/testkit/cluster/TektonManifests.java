package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tekton's own manifests, adapted to a cluster without a network: its programs run outside of the cluster, and the API
 * server reaches the webhook through a Service that points to this machine, at the port in every reference.
 */
final class TektonManifests {

    private static final Pattern DOCUMENT_SEPARATOR = Pattern.compile("(?m)^---\\s*$");

    /** Replaced by processes of this machine. */
    private static final Set<String> OMITTED_KINDS = Set.of("Deployment", "HorizontalPodAutoscaler");

    private static final String WEBHOOK_SERVICE = "tekton-pipelines-webhook";

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final int webhookPort;

    TektonManifests(int webhookPort) {
        this.webhookPort = webhookPort;
    }

    /** Returns all manifests to apply. */
    String read(Path folder) {
        List<Map<String, Object>> items = new ArrayList<>();
        for (Path file : manifestFiles(folder)) {
            for (String document : DOCUMENT_SEPARATOR.split(readText(file), -1)) {
                Map<String, Object> object = parse(document);
                if (object.containsKey("kind") && !OMITTED_KINDS.contains(object.get("kind"))) {
                    adapt(object);
                    items.add(object);
                }
            }
        }
        if (items.isEmpty()) {
            throw new ClusterException("no manifests in " + folder + ": run dev/cluster build");
        }
        return serialization.asJson(Map.of("apiVersion", "v1", "kind", "List", "items", items));
    }

    private void adapt(Map<String, Object> object) {
        String name = String.valueOf(map(object, "metadata").get("name"));
        switch (String.valueOf(object.get("kind"))) {
            case "CustomResourceDefinition" -> {
                if (map(object, "spec").containsKey("conversion")) {
                    addPort(map(map(map(object, "spec"), "conversion"), "webhook"));
                }
            }
            case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration" ->
                maps(object, "webhooks").forEach(this::addPort);
            case "Service" -> {
                if (name.equals(WEBHOOK_SERVICE)) {
                    object.put("spec", Map.of("type", "ExternalName", "externalName", "localhost"));
                }
            }
            case "ConfigMap" -> {
                Map<String, Object> data = map(object, "data");
                if (name.equals("config-observability")) {
                    // Two clusters would use the same port.
                    data.put("metrics-protocol", "none");
                }
                if (name.equals("feature-flags")) {
                    // No sidecars are injected, so steps need not wait until Tekton has seen all containers.
                    data.put("running-in-environment-with-injected-sidecars", "false");
                }
            }
            default -> {
                // Unchanged.
            }
        }
    }

    private void addPort(Map<String, Object> webhook) {
        map(map(webhook, "clientConfig"), "service").put("port", webhookPort);
    }

    private Map<String, Object> parse(String document) {
        boolean empty = document.lines().allMatch(line -> line.isBlank() || line.startsWith("#"));
        return empty ? Map.of() : asMap(serialization.unmarshal(document, LinkedHashMap.class));
    }

    private static List<Path> manifestFiles(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".yaml"))
                    // The file names start with numbers: namespaces come before their objects.
                    .sorted((one, other) -> one.getFileName().compareTo(other.getFileName()))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String readText(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Map<String, Object> map(Map<String, Object> parent, String key) {
        return asMap(parent.computeIfAbsent(key, missing -> new LinkedHashMap<String, Object>()));
    }

    private static List<Map<String, Object>> maps(Map<String, Object> parent, String key) {
        return parent.get(key) instanceof List<?> list
                ? list.stream().map(TektonManifests::asMap).toList()
                : List.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }
}
