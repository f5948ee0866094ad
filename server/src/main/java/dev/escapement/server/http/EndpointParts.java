package dev.escapement.server.http;

import dev.escapement.endpoints.EndpointDocument;
import dev.escapement.endpoints.EndpointView;
import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Remediation;
import dev.escapement.endpoints.Remedy;
import dev.escapement.endpoints.store.Stored;
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
public record EndpointParts(Endpoints endpoints, EndpointDocument documents, Phases phases) {

    private static final int LONGEST_QUOTE = 200;

    /** What executions are doing. */
    @FunctionalInterface
    public interface Phases {
        /** The phase of an execution; empty if there is none of that name. */
        Optional<String> of(String namespace, String execution);
    }

    /** The endpoint that the path names, by its name or by its id. */
    Stored find(Context context) {
        return find(context.pathParam("name"));
    }

    Stored find(String nameOrId) {
        return endpoints
                .store()
                .named(nameOrId)
                .or(() -> endpoints.store().get(nameOrId))
                .orElseThrow(() -> unknown(nameOrId));
    }

    /** The name of the endpoint that is to be changed. */
    String name(Context context) {
        Stored found = find(context);
        String name = found.endpoint().definition().name();
        if (found.endpoint().steering().archived()) {
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

    Map<String, Object> document(Stored stored) {
        return EndpointView.write(stored, endpoints.store().clock().instant());
    }

    /** The same, with what became of the execution that it asked for. */
    Map<String, Object> documentWithPhase(Stored stored) {
        Map<String, Object> document = document(stored);
        String namespace = stored.endpoint()
                .remedy()
                .flatMap(Remedy::namespace)
                .or(() -> stored.endpoint().definition().remediation().map(Remediation::namespace))
                .orElse(Params.DEFAULT_NAMESPACE);
        stored.endpoint()
                .remedy()
                .flatMap(remedy -> remedy.execution())
                .ifPresent(execution -> Trees.put(
                        document,
                        "status",
                        "remediation",
                        "executionPhase",
                        phases.of(namespace, execution).orElse("Deleted")));
        return document;
    }
}
