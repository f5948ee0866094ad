package dev.escapement.server.http.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointDocumentReader;
import dev.escapement.endpoints.model.EndpointDocumentWriter;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * What answers about endpoints are made of.
 *
 * @param endpoints what people ask of them
 * @param documents reads what people write
 * @param phases of executions
 */
public record EndpointRouteContext(EndpointService endpoints, EndpointDocumentReader documents, PhaseLookup phases) {

    private static final int MAX_QUOTE_LENGTH = 200;

    /** What executions are doing. */
    @FunctionalInterface
    public interface PhaseLookup {
        /** The phase of an execution; empty if there is none of that name. */
        Optional<String> phaseOf(String namespace, String execution);
    }

    /** The endpoint that the path names, by its name or by its id. */
    StoredEndpoint find(Context context) {
        return find(context.pathParam("name"));
    }

    StoredEndpoint find(String nameOrId) {
        return endpoints
                .store()
                .findByName(nameOrId)
                .or(() -> endpoints.store().get(nameOrId))
                .orElseThrow(() -> notFound(nameOrId));
    }

    /** The name of the endpoint that is to be changed. */
    String requireActiveName(Context context) {
        StoredEndpoint found = find(context);
        String name = found.endpoint().definition().name();
        if (found.endpoint().overrides().archived()) {
            throw HttpProblem.stateConflict(
                    "endpoint %s (%s) is archived and never comes back: add a new one, its name may be used again"
                            .formatted(name, found.endpoint().id()));
        }
        return name;
    }

    /** Archived between two looks. */
    static HttpProblem notFound(String name) {
        return HttpProblem.notFound("there is no endpoint %s: GET /api/v1/endpoints lists them"
                .formatted(SafeText.quote(name, MAX_QUOTE_LENGTH)));
    }

    Map<String, Object> toDocument(StoredEndpoint stored) {
        return EndpointDocumentWriter.write(stored, endpoints.store().clock().instant());
    }

    /** The same, with what became of the execution that it asked for. */
    Map<String, Object> toDocumentWithPhase(StoredEndpoint stored) {
        Map<String, Object> document = toDocument(stored);
        String namespace = stored.endpoint()
                .lastRemediation()
                .flatMap(RemediationAttempt::namespace)
                .or(() -> stored.endpoint().definition().remediation().map(RemediationPolicy::namespace))
                .orElse(QueryParams.DEFAULT_NAMESPACE);
        stored.endpoint()
                .lastRemediation()
                .flatMap(remedy -> remedy.executionName())
                .ifPresent(execution -> MergePatch.putNested(
                        document,
                        "status",
                        "remediation",
                        "executionPhase",
                        phases.phaseOf(namespace, execution).orElse("Deleted")));
        return document;
    }
}
