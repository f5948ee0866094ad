package dev.escapement.server.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * A permission that is granted or was used.
 *
 * @param resource with its group, such as {@code batch/jobs} or {@code kubernaut.ai/workflowexecutions/status}
 */
record AccessRight(String verb, String resource) {

    static Stream<AccessRight> of(PolicyRule rule) {
        List<String> groups = rule.getApiGroups();
        return groups.stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(resource ->
                                rule.getVerbs().stream().map(verb -> new AccessRight(verb, join(group, resource)))));
    }

    /** Parses a line of the audit log. */
    static AccessRight of(JsonNode line) {
        JsonNode object = line.path("objectRef");
        String resource = object.path("resource").asText();
        String part = object.path("subresource").asText();
        return new AccessRight(
                line.path("verb").asText(),
                join(object.path("apiGroup").asText(), part.isEmpty() ? resource : resource + "/" + part));
    }

    private static String join(String group, String resource) {
        return group.isEmpty() ? resource : group + "/" + resource;
    }

    @Override
    public String toString() {
        return verb + " " + resource;
    }
}
