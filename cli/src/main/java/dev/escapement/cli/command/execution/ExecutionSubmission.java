package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiException.Kind;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.common.Json;
import dev.escapement.server.document.ExecutionRequestParser;
import java.time.Instant;
import java.util.Map;

/**
 * Result of submitting an execution. The client chooses the name, so a request whose response was lost can be looked up
 * by that name.
 *
 * @param created whether the execution is new
 * @param execution as stored by the server
 */
public record ExecutionSubmission(boolean created, ExecutionView execution) {

    public static ObjectNode buildDocument(
            String namespace, String name, String workflow, String target, Map<String, String> parameters) {
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("apiVersion", ApiGroup.API_VERSION).put("kind", WorkflowExecution.KIND);
        document.putObject("metadata").put("name", name).put("namespace", namespace);
        ObjectNode spec = document.putObject("spec");
        spec.putObject("workflowRef").put("workflowId", workflow);
        spec.put("targetResource", target);
        if (!parameters.isEmpty()) {
            parameters.forEach(spec.putObject("parameters")::put);
        }
        return document;
    }

    /** Creates the execution; fails with a conflict if its name is used with a different spec. */
    public static ExecutionSubmission submit(ApiClient api, JsonNode document) {
        try {
            return new ExecutionSubmission(true, new ExecutionView(api.post(ApiPath.of("executions"), document)));
        } catch (ApiException failure) {
            if (failure.is(Kind.CONFLICT)) {
                // Not found means deleted in the meantime: then the conflict is reported.
                JsonNode existing = api.find(path(document)).orElseThrow(() -> failure);
                return new ExecutionSubmission(false, requireSameSpec(document, existing));
            } else if (failure.is(Kind.UNREACHABLE)) {
                return new ExecutionSubmission(true, recoverFromLostResponse(api, document, failure));
            }
            throw failure;
        }
    }

    private static ApiPath path(JsonNode document) {
        String namespace = ClientJson.text(document, "/metadata/namespace");
        return ApiPath.ofExecution(
                namespace.isEmpty() ? ExecutionView.DEFAULT_NAMESPACE : namespace,
                ClientJson.text(document, "/metadata/name"));
    }

    private static ExecutionView recoverFromLostResponse(ApiClient api, JsonNode document, ApiException failure) {
        try {
            return requireSameSpec(document, api.get(path(document)));
        } catch (ApiException stillUnknown) {
            throw failure;
        }
    }

    private static ExecutionView requireSameSpec(JsonNode submitted, JsonNode existing) {
        ExecutionView view = new ExecutionView(existing);
        if (hasSameSpec(submitted, existing)) {
            return view;
        }
        throw new ApiException(
                Kind.CONFLICT,
                "execution %s/%s exists with a different spec, and a spec is immutable: choose another name, or delete it first"
                        .formatted(view.namespace(), view.name()));
    }

    /** Compares the parsed specs: 60s equals 1m, and a missing field its default. */
    private static boolean hasSameSpec(JsonNode submitted, JsonNode existing) {
        try {
            return parseSpec(submitted).equals(parseSpec(existing));
        } catch (IllegalArgumentException fromOtherVersion) {
            return submitted.path("spec").equals(existing.path("spec"));
        }
    }

    private static Object parseSpec(JsonNode document) {
        Map<String, Object> tree = Json.toMap(document);
        tree.remove("status");
        return ExecutionRequestParser.parse(tree, ExecutionView.DEFAULT_NAMESPACE, "0", Instant.EPOCH)
                .spec();
    }
}
