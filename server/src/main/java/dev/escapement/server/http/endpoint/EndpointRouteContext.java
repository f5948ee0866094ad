package dev.escapement.server.http.endpoint;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.schema.Violation;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.server.document.ClusterOnlyFields;
import dev.escapement.server.document.EndpointRequestParser;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the routes of endpoints share.
 *
 * @param allowList internal addresses that endpoints may call
 * @param queries finds the executions that remediate endpoints
 * @param onCluster whether remediations run on Kubernetes
 */
public record EndpointRouteContext(
        EndpointService endpoints, AllowList allowList, ExecutionQueries queries, boolean onCluster) {

    static final Logger AUDIT_LOG = LoggerFactory.getLogger("escapement.endpoints");
    private static final int MAX_VALUE_LENGTH = 500;

    /** Finds the endpoint of the path, by name or id. */
    StoredEndpoint find(ApiRequest request) {
        return find(request.pathParameter("name"));
    }

    StoredEndpoint find(String nameOrId) {
        return endpoints
                .store()
                .findByName(nameOrId)
                .or(() -> endpoints.store().get(nameOrId))
                .orElseThrow(() -> notFound(nameOrId));
    }

    /** Returns the name of the endpoint of the path; responds with 409 if it is archived. */
    String requireActiveName(ApiRequest request) {
        StoredEndpoint found = find(request);
        String name = found.endpoint().definition().name();
        if (found.endpoint().overrides().archived()) {
            throw HttpProblem.stateConflict(
                    "endpoint %s (%s) is archived and cannot be changed: create a new one, which may have the same name"
                            .formatted(name, found.endpoint().id()));
        }
        return name;
    }

    static HttpProblem notFound(String name) {
        return HttpProblem.notFound(
                "there is no endpoint %s: GET /api/v1/endpoints lists them".formatted(ApiRequest.quote(name)));
    }

    /** @throws IllegalArgumentException with every problem, a line each */
    DesiredEndpoint parse(Map<String, Object> document, Optional<ScheduledEndpoint> old) {
        DesiredEndpoint desired =
                EndpointRequestParser.parse(document, old.map(ScheduledEndpoint::definition), Optional.of(allowList));
        if (!onCluster) {
            desired.definition()
                    .remediation()
                    .map(RemediationPolicy::clusterOptions)
                    .ifPresent(EndpointRouteContext::rejectClusterOptions);
        }
        return desired;
    }

    private static void rejectClusterOptions(ClusterRunOptions options) {
        List<Violation> violations = ClusterOnlyFields.find(Map.of(
                "remediation.containerDigest", options.containerDigest(),
                "remediation.containerImage", ClusterOnlyFields.ifPinned(options.containerImage()),
                "remediation.engine", options.engine(),
                "remediation.serviceAccountName", options.serviceAccountName()));
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException(
                    violations.stream().map(Violation::message).collect(Collectors.joining("\n")));
        }
    }

    /**
     * Logs who changed which endpoint, and why. Line breaks in values are replaced, so that a value cannot forge
     * another line.
     */
    static void logChange(String by, String endpoint, String action, Map<String, Object> body) {
        String reason = RequestBodies.readText(body, "reason")
                .map(text -> ": " + SafeText.sanitize(text, MAX_VALUE_LENGTH))
                .orElse("");
        AUDIT_LOG
                .atInfo()
                .addKeyValue("endpoint", SafeText.sanitize(endpoint, MAX_VALUE_LENGTH))
                .addKeyValue("by", by)
                .log("{}{}", action, reason);
    }

    Instant now() {
        return endpoints.store().clock().instant();
    }

    Endpoint toDocument(StoredEndpoint stored) {
        return EndpointMapper.toDocument(stored, now(), Optional.empty());
    }

    /** Adds the phase of the execution that remediates the endpoint. */
    Endpoint toDocumentWithPhase(StoredEndpoint stored) {
        ScheduledEndpoint endpoint = stored.endpoint();
        Optional<String> phase = endpoint.lastRemediation()
                .flatMap(attempt -> attempt.executionName().map(execution -> {
                    String namespace = attempt.namespace()
                            .or(() -> endpoint.definition().remediation().map(RemediationPolicy::namespace))
                            .orElse(ApiRequest.DEFAULT_NAMESPACE);
                    return queries.findExecution(namespace, execution)
                            .map(found -> found.value().status().phase())
                            .orElse("Deleted");
                }));
        return EndpointMapper.toDocument(stored, now(), phase);
    }
}
