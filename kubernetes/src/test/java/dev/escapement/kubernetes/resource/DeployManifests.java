package dev.escapement.kubernetes.resource;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the manifests of {@code deploy/kubernetes} from the jar. */
final class DeployManifests {

    static final String EXECUTIONS = "crds/workflowexecutions.yaml";
    static final String TARGETS = "crds/remediationtargets.yaml";
    static final String NOTIFICATIONS = "crds/notificationrequests.yaml";
    static final String RBAC = "rbac.yaml";
    static final String CONFIG = "config.yaml";
    static final String OPERATOR = "operator.yaml";

    private static final String RESOURCE_ROOT = "/dev/escapement/kubernetes/deploy/";
    private static final Pattern DOCUMENT_SEPARATOR = Pattern.compile("(?m)^---$");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private DeployManifests() {}

    static JSONSchemaProps schema(String file) {
        return definition(file).getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    }

    static CustomResourceDefinition definition(String file) {
        return YAML.unmarshal(readText(file), CustomResourceDefinition.class);
    }

    static <T extends HasMetadata> List<T> load(String file, Class<T> type) {
        return DOCUMENT_SEPARATOR
                .splitAsStream(readText(file))
                .map(document -> YAML.<HasMetadata>unmarshal(document))
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    static String readText(String file) {
        try (InputStream stream = DeployManifests.class.getResourceAsStream(RESOURCE_ROOT + file)) {
            if (stream == null) {
                throw new IllegalStateException("the jar has no " + RESOURCE_ROOT + file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
