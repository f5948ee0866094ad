package dev.escapement.server.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.ApiFailure.Kind;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.ExecutionView;
import java.util.Map;

/**
 * An execution that was asked for. Its document has a name, so asking is safe to repeat: whoever does not know whether
 * a request arrived looks whether that name exists.
 *
 * @param created whether it was not there before
 * @param execution as the server has it
 */
record Submission(boolean created, ExecutionView execution) {

    private static final JsonMapper MAPPER = new JsonMapper();

    /**
     * Asks.
     *
     * @throws ApiFailure also if the name is taken by an execution with another spec
     */
    static Submission send(ApiClient api, JsonNode document) {
        try {
            return new Submission(true, new ExecutionView(api.post(Resource.of("executions"), document)));
        } catch (ApiFailure failure) {
            if (failure.is(Kind.CONFLICT)) {
                // Gone again in the meantime: then the refusal stands as it was.
                ExecutionView existing = Watch.unlessGone(
                                () -> existing(api, document).document())
                        .map(ExecutionView::new)
                        .orElseThrow(() -> failure);
                return new Submission(false, sameOrRefuse(document, existing));
            } else if (failure.is(Kind.UNREACHABLE)) {
                return new Submission(true, arrivedAfterAll(api, document, failure));
            }
            throw failure;
        }
    }

    private static ExecutionView existing(ApiClient api, JsonNode document) {
        String namespace = Json.text(document, "/metadata/namespace");
        return new ExecutionView(api.get(Resource.of("executions", Json.text(document, "/metadata/name"))
                .with("namespace", namespace.isEmpty() ? ExecutionView.DEFAULT_NAMESPACE : namespace)));
    }

    private static ExecutionView arrivedAfterAll(ApiClient api, JsonNode document, ApiFailure failure) {
        try {
            return sameOrRefuse(document, existing(api, document));
        } catch (ApiFailure stillUnknown) {
            throw failure;
        }
    }

    private static ExecutionView sameOrRefuse(JsonNode asked, ExecutionView existing) {
        if (isSame(asked, existing.document())) {
            return existing;
        }
        throw new ApiFailure(
                Kind.CONFLICT,
                "execution %s/%s exists with another spec, and a spec is immutable: choose another name, or delete it first"
                        .formatted(existing.namespace(), existing.name()));
    }

    /** Equal in meaning: 60s is 1m, and what is left out is the default. */
    private static boolean isSame(JsonNode asked, JsonNode existing) {
        try {
            return spec(asked).equals(spec(existing));
        } catch (IllegalArgumentException fromAnotherVersion) {
            return asked.path("spec").equals(existing.path("spec"));
        }
    }

    private static Object spec(JsonNode document) {
        Map<String, Object> tree = MAPPER.convertValue(document, new TypeReference<>() {});
        tree.remove("status");
        return ExecutionDocument.request(tree, ExecutionView.DEFAULT_NAMESPACE, "0", java.time.Instant.EPOCH)
                .spec();
    }
}
