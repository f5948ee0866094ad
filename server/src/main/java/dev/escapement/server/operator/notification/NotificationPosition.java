package dev.escapement.server.operator.notification;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Up to which version of executions and targets notifications were created.
 *
 * @param executions a resource version
 * @param targets a resource version
 */
record NotificationPosition(long executions, long targets) {

    /** The ConfigMap with the position, in the namespace of the operator. */
    static final String CONFIG_MAP = "escapement-notifications";

    private static final String EXECUTIONS = "executions-version";
    private static final String TARGETS = "targets-version";

    /** Returns the position with the higher version of each kind. */
    NotificationPosition max(NotificationPosition other) {
        return new NotificationPosition(Math.max(executions, other.executions), Math.max(targets, other.targets));
    }

    /** Reads and writes the position. */
    record Store(KubernetesClient client, String namespace) {

        /** Returns the stored position; empty if there is none or it is invalid. */
        Optional<NotificationPosition> read() {
            return Optional.ofNullable(resource().get()).flatMap(Store::parse);
        }

        private static Optional<NotificationPosition> parse(ConfigMap map) {
            Map<String, String> data = Objects.requireNonNullElse(map.getData(), Map.of());
            try {
                return Optional.of(new NotificationPosition(
                        Long.parseUnsignedLong(data.getOrDefault(EXECUTIONS, "")),
                        Long.parseUnsignedLong(data.getOrDefault(TARGETS, ""))));
            } catch (NumberFormatException invalid) {
                return Optional.empty();
            }
        }

        /**
         * Writes the position; it never goes back, so that a former leader cannot set it back.
         *
         * @throws io.fabric8.kubernetes.client.KubernetesClientException also if another writer has written it
         *     meanwhile
         */
        void write(NotificationPosition position) {
            ConfigMap stored = resource().get();
            if (stored == null) {
                client.resource(newMap(position)).create();
                return;
            }
            NotificationPosition next = parse(stored).map(position::max).orElse(position);
            client.resource(new ConfigMapBuilder(stored).withData(data(next)).build())
                    .update();
        }

        private Resource<ConfigMap> resource() {
            return client.configMaps().inNamespace(namespace).withName(CONFIG_MAP);
        }

        private ConfigMap newMap(NotificationPosition position) {
            return new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(CONFIG_MAP)
                    .addToLabels("app.kubernetes.io/managed-by", "escapement")
                    .endMetadata()
                    .withData(data(position))
                    .build();
        }

        private static Map<String, String> data(NotificationPosition position) {
            Map<String, String> data = new LinkedHashMap<>();
            data.put(EXECUTIONS, Long.toUnsignedString(position.executions()));
            data.put(TARGETS, Long.toUnsignedString(position.targets()));
            return data;
        }
    }
}
