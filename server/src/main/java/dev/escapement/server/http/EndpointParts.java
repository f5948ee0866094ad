package dev.escapement.server.http;

import dev.escapement.endpoints.model.EndpointDocumentReader;
import dev.escapement.endpoints.model.EndpointDocumentWriter;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.governor.SafeText;
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
public record EndpointParts(EndpointService endpoints, EndpointDocumentReader documents, Phases phases) {

    private static final int LONGEST_QUOTE = 200;

    /** What executions are doing. */
    @FunctionalInterface
    public interface Phases {
        /** The phase of an execution; empty if there is none of that name. */
        Optional<String> of(String namespace, String execution);
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
                .orElseThrow(() -> unknown(nameOrId));
    }

    /** The name of the endpoint that is to be changed. */
    String name(Context context) {
        StoredEndpoint found = find(context);
        String name = found.endpoint().definition().name();
        if (found.endpoint().overrides().archived()) {
            throw Problem.notNow(
                    "endpoint %s (%s) is archived and never comes back: add a new one, its name may be used again"
                            .formatted(name, found.endpoint().id()));
        }
        return name;
    }

    /** Archived between two looks. */
    static Problem unknown(String name) {
        return Problem.notFound("there is no endpoint %s: GET /api/v1/endpoints lists them"
                .formatted(SafeText.quote(name, LONGEST_QUOTE)));
    }

    Map<String, Object> document(StoredEndpoint stored) {
        return EndpointDocumentWriter.write(stored, endpoints.store().clock().instant());
    }

    /** The same, with what became of the execution that it asked for. */
    Map<String, Object> documentWithPhase(StoredEndpoint stored) {
        Map<String, Object> document = document(stored);
        String namespace = stored.endpoint()
                .lastRemediation()
                .flatMap(RemediationAttempt::namespace)
                .or(() -> stored.endpoint().definition().remediation().map(RemediationPolicy::namespace))
                .orElse(Params.DEFAULT_NAMESPACE);
        stored.endpoint()
                .lastRemediation()
                .flatMap(remedy -> remedy.executionName())
                .ifPresent(execution -> Trees.put(
                        document,
                        "status",
                        "remediation",
                        "executionPhase",
                        phases.of(namespace, execution).orElse("Deleted")));
        return document;
    }
}
