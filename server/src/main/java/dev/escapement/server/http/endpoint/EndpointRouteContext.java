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

/** What the routes of endpoints share. */
public record EndpointRouteContext(EndpointService endpoints, EndpointDocumentReader documents, PhaseLookup phases) {

    private static final int MAX_QUOTE_LENGTH = 200;

    /** Finds the phase of an execution. */
    @FunctionalInterface
    public interface PhaseLookup {
        /** Returns the phase of an execution; empty if it does not exist. */
        Optional<String> phaseOf(String namespace, String execution);
    }

    /** Finds the endpoint of the path, by name or id. */
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

    /** Returns the name of the endpoint of the path; responds with 409 if it is archived. */
    String requireActiveName(Context context) {
        StoredEndpoint found = find(context);
        String name = found.endpoint().definition().name();
        if (found.endpoint().overrides().archived()) {
            throw HttpProblem.stateConflict(
                    "endpoint %s (%s) is archived and cannot be changed: create a new one, which may have the same name"
                            .formatted(name, found.endpoint().id()));
        }
        return name;
    }

    static HttpProblem notFound(String name) {
        return HttpProblem.notFound("there is no endpoint %s: GET /api/v1/endpoints lists them"
                .formatted(SafeText.quote(name, MAX_QUOTE_LENGTH)));
    }

    Map<String, Object> toDocument(StoredEndpoint stored) {
        return EndpointDocumentWriter.write(stored, endpoints.store().clock().instant());
    }

    /** Adds the phase of the execution that remediates the endpoint. */
    Map<String, Object> toDocumentWithPhase(StoredEndpoint stored) {
        Map<String, Object> document = toDocument(stored);
        String namespace = stored.endpoint()
                .lastRemediation()
                .flatMap(RemediationAttempt::namespace)
                .or(() -> stored.endpoint().definition().remediation().map(RemediationPolicy::namespace))
                .orElse(QueryParams.DEFAULT_NAMESPACE);
        stored.endpoint()
                .lastRemediation()
                .flatMap(attempt -> attempt.executionName())
                .ifPresent(execution -> MergePatch.putNested(
                        document,
                        "status",
                        "remediation",
                        "executionPhase",
                        phases.phaseOf(namespace, execution).orElse("Deleted")));
        return document;
    }
}
