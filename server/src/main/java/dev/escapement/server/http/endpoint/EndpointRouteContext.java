package dev.escapement.server.http.endpoint;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.server.document.EndpointRequestParser;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What the routes of endpoints share.
 *
 * @param allowList internal addresses that endpoints may call
 * @param phases returns the phase of an execution, by namespace and name; empty if it does not exist
 */
public record EndpointRouteContext(
        EndpointService endpoints, AllowList allowList, BiFunction<String, String, Optional<String>> phases) {

    private static final int MAX_QUOTE_LENGTH = 200;

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

    /** @throws IllegalArgumentException with every problem, a line each */
    DesiredEndpoint parse(Map<String, Object> document, Optional<ScheduledEndpoint> old) {
        return EndpointRequestParser.parse(document, old.map(ScheduledEndpoint::definition), Optional.of(allowList));
    }

    Instant now() {
        return endpoints.store().clock().instant();
    }

    Endpoint toDocument(StoredEndpoint stored) {
        return EndpointMapper.toDocument(stored, now(), Optional.empty());
    }

    /** Adds the phase of the execution that remediates the endpoint. */
    Endpoint toDocumentWithPhase(StoredEndpoint stored) {
        Optional<String> phase = stored.endpoint()
                .lastRemediation()
                .flatMap(attempt -> attempt.executionName().map(execution -> {
                    String namespace = attempt.namespace()
                            .or(() ->
                                    stored.endpoint().definition().remediation().map(RemediationPolicy::namespace))
                            .orElse(QueryParams.DEFAULT_NAMESPACE);
                    return phases.apply(namespace, execution).orElse("Deleted");
                }));
        return EndpointMapper.toDocument(stored, now(), phase);
    }
}
