package dev.escapement.server.http.endpoint;

import static io.javalin.http.HandlerType.DELETE;
import static io.javalin.http.HandlerType.GET;
import static io.javalin.http.HandlerType.PATCH;
import static io.javalin.http.HandlerType.POST;
import static io.javalin.http.HandlerType.PUT;

import dev.escapement.common.Json;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService.EndpointNameTakenException;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Routes that create, list, change and archive endpoints. */
public record EndpointRoutes(EndpointRouteContext routeContext) {

    private static final Set<String> STORED_ONLY_FIELDS = Set.of("hints", "runRequest", "archived", "pause");

    public List<Route> routes() {
        return List.of(
                Route.post(Right.ADMIN, "/api/v1/endpoints", this::create),
                Route.get("/api/v1/endpoints", this::list, "state", "limit", "continue"),
                Route.get("/api/v1/endpoints/{name}", this::get),
                Route.of(PUT, Right.ADMIN, "/api/v1/endpoints/{name}", this::replace),
                Route.of(PATCH, Right.ADMIN, "/api/v1/endpoints/{name}", this::change),
                Route.delete(Right.ADMIN, "/api/v1/endpoints/{name}", this::archive));
    }

    /** Returns routes that respond with 501 to all requests about endpoints, for an operator without a database. */
    public static List<Route> disabled() {
        ApiRequest.Handler reject = request -> {
            throw HttpProblem.of(
                    501,
                    "endpoints need a database, and this operator has none: start it with --database"
                            + " jdbc:postgresql://host/name");
        };
        return Stream.of("/api/v1/endpoints", "/api/v1/endpoints/*", "/api/v1/runs", "/api/v1/runs/*")
                .flatMap(path -> Stream.of(GET, POST, PUT, PATCH, DELETE)
                        .map(method -> new Route(method, path, Optional.empty(), reject)))
                .toList();
    }

    private void create(ApiRequest request) throws IOException {
        // Before the change: a request that states a name which is not the caller's is refused.
        String by = request.actor(Map.of());
        DesiredEndpoint desired = readDesired(request.readBody(), Optional.empty());
        StoredEndpoint created = rejectTakenName(() -> routeContext.endpoints().create(desired));
        String name = created.endpoint().definition().name();
        EndpointRouteContext.logChange(by, name, "added", Map.of());
        request.context().header("Location", "/api/v1/endpoints/" + name);
        request.respond(201, routeContext.toDocument(created));
    }

    private void list(ApiRequest request) {
        EndpointFilter filter =
                request.parameter("state").map(EndpointRoutes::parseFilter).orElse(EndpointFilter.ALL);
        request.respondPage(
                (token, limit) -> routeContext.endpoints().store().listEndpoints(filter, token, limit),
                routeContext::toDocument);
    }

    private static EndpointFilter parseFilter(String state) {
        return Arrays.stream(EndpointFilter.values())
                .filter(known -> known != EndpointFilter.ALL)
                .filter(known -> known.name().toLowerCase(Locale.ROOT).equals(state))
                .findFirst()
                .orElseThrow(() -> HttpProblem.badRequest("state is %s: it must be failing, paused, running or archived"
                        .formatted(ApiRequest.quote(state))));
    }

    private void get(ApiRequest request) {
        request.respond(200, routeContext.toDocumentWithPhase(routeContext.find(request)));
    }

    /** Replaces the whole document; a missing name stays. */
    private void replace(ApiRequest request) throws IOException {
        Map<String, Object> document = request.readBody();
        update(request, "replaced", old -> {
            Map<String, Object> replacement = copyOf(document);
            replacement.putIfAbsent("name", old.definition().name());
            return replacement;
        });
    }

    private void change(ApiRequest request) throws IOException {
        Map<String, Object> patch = request.bodies().read(request.context(), DocumentParser::readPatch);
        update(request, "changed", old -> applyPatch(old, patch));
    }

    private void update(ApiRequest request, String action, Function<ScheduledEndpoint, Map<String, Object>> change) {
        String by = request.actor(Map.of());
        String name = routeContext.requireActiveName(request);
        StoredEndpoint changed = rejectTakenName(() -> routeContext
                .endpoints()
                .update(name, old -> readDesired(change.apply(old), Optional.of(old)))
                .orElseThrow(() -> EndpointRouteContext.notFound(name)));
        EndpointRouteContext.logChange(by, name, action, Map.of());
        request.respond(200, routeContext.toDocument(changed));
    }

    /** An interval in the patch replaces a cron expression, and the other way round. Secrets are filled in later. */
    private static Map<String, Object> applyPatch(ScheduledEndpoint old, Map<String, Object> patch) {
        Map<String, Object> document = Json.toMap(EndpointMapper.toEditable(old.definition(), old.overrides()));
        document.keySet().removeAll(STORED_ONLY_FIELDS);
        if (patch.get("interval") instanceof String && !patch.containsKey("cron")) {
            document.remove("cron");
            document.remove("timeZone");
        } else if (patch.get("cron") instanceof String && !patch.containsKey("interval")) {
            document.remove("interval");
        }
        return merge(document, patch);
    }

    /**
     * Applies a merge patch as in RFC 7396: objects are merged, other values are replaced.
     *
     * @param patch an empty {@link Optional} removes a value
     */
    private static Map<String, Object> merge(Map<?, ?> document, Map<?, ?> patch) {
        Map<String, Object> merged = copyOf(document);
        copyOf(patch).forEach((key, value) -> {
            if (value instanceof Optional<?>) {
                merged.remove(key);
            } else if (value instanceof Map<?, ?> inner) {
                merged.put(key, merge(merged.get(key) instanceof Map<?, ?> old ? old : Map.of(), inner));
            } else {
                merged.put(key, value);
            }
        });
        return merged;
    }

    static Map<String, Object> copyOf(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    private void archive(ApiRequest request) throws IOException {
        Map<String, Object> body = request.readOptionalBody(Set.of("by", "reason"));
        String by = request.actor(body);
        try {
            StoredEndpoint before = routeContext.find(request);
            String name = routeContext.requireActiveName(request);
            if (routeContext.endpoints().archive(name).isEmpty()) {
                throw EndpointRouteContext.notFound(name);
            }
            EndpointRouteContext.logChange(by, name, "archived", body);
            request.respond(200, routeContext.toDocument(before));
        } catch (UnexpectedStorageException unreadable) {
            // An endpoint whose document cannot be read can still be archived.
            String name = request.pathParameter("name");
            String id = routeContext.endpoints().store().archive(name).orElseThrow(() -> unreadable);
            EndpointRouteContext.logChange(by, name, "archived", body);
            request.respond(200, Map.of("id", id, "name", name));
        }
    }

    private DesiredEndpoint readDesired(Map<String, Object> document, Optional<ScheduledEndpoint> old) {
        try {
            return routeContext.parse(document, old);
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.invalidDocument(
                    String.valueOf(invalid.getMessage()).lines().toList());
        }
    }

    private static StoredEndpoint rejectTakenName(Supplier<StoredEndpoint> write) {
        try {
            return write.get();
        } catch (EndpointNameTakenException taken) {
            throw HttpProblem.alreadyExists(String.valueOf(taken.getMessage()));
        }
    }
}
