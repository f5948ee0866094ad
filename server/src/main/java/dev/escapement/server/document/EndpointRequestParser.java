package dev.escapement.server.document;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.schema.SchemaValidator;
import dev.escapement.api.schema.Violation;
import dev.escapement.common.Json;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointRequestMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses documents of endpoints that users send. They must conform to the schema of the kind. */
public final class EndpointRequestParser {

    /** Fields that the server adds when it shows an endpoint; what was shown can be sent back. */
    private static final Set<String> READ_ONLY_FIELDS = Set.of("id", "createdAt", "revision", "hints", "status");

    private EndpointRequestParser() {}

    /** Loaded with the first request: parsing YAML would delay the start. */
    private static final class RequestSchema {
        static final SchemaValidator VALIDATOR =
                SchemaValidator.load("Endpoint", text -> DocumentParser.read(text, DocumentParser.Format.YAML));
    }

    /**
     * Returns the endpoint that a document describes. Parameters as of {@link EndpointRequestMapper}.
     *
     * @throws IllegalArgumentException if the document is invalid; the message has a line for every problem, with its
     *     path, value and rule
     */
    public static DesiredEndpoint parse(
            Map<String, ?> document, Optional<EndpointDefinition> before, Optional<AllowList> allowList) {
        Map<String, Object> request = new LinkedHashMap<>(document);
        request.keySet().removeAll(READ_ONLY_FIELDS);
        request.computeIfPresent("body", (field, body) -> body instanceof String ? body : Json.write(body));
        List<Violation> violations = RequestSchema.VALIDATOR.validateRequest(request);
        List<String> problems = violations.stream().map(Violation::message).toList();
        // What violates the schema is left out, so that all other fields are checked too.
        for (Violation violation : violations) {
            request = without(request, violation.path());
        }
        return new EndpointRequestMapper(bind(request, problems), before, allowList, problems).map();
    }

    /** Keys may have dots, as paths do. */
    private static Map<String, Object> without(Map<?, ?> tree, String path) {
        Map<String, Object> rest = new LinkedHashMap<>();
        tree.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (path.startsWith(name + ".") && value instanceof Map<?, ?> inner) {
                rest.put(name, without(inner, path.substring(name.length() + 1)));
            } else if (!path.equals(name)) {
                rest.put(name, value);
            }
        });
        return rest;
    }

    private static Endpoint bind(Map<String, Object> request, List<String> problems) {
        try {
            return Json.fromMap(request, Endpoint.class);
        } catch (Json.JsonException mismatch) {
            // A violation whose path was cut, or that was not listed.
            throw problems.isEmpty() ? mismatch : new IllegalArgumentException(String.join("\n", problems), mismatch);
        }
    }
}
