package dev.escapement.server.http.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpointCodec;
import dev.escapement.endpoints.schedule.EndpointNameTakenException;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.PagedResponse;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import dev.escapement.storage.problem.UnexpectedStorageException;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Endpoints: add, find, change, archive. */
public final class EndpointRoutes {

    private static final int MAX_QUOTE_LENGTH = 200;

    private final EndpointRouteContext routeContext;
    private final RequestBodies bodies;
    private final EndpointAuditLog auditLog;

    public EndpointRoutes(EndpointRouteContext parts, RequestBodies bodies, EndpointAuditLog log) {
        this.routeContext = parts;
        this.bodies = bodies;
        this.auditLog = log;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/v1/endpoints", this::create),
                Route.get("/api/v1/endpoints", this::list),
                Route.get("/api/v1/endpoints/{name}", this::get),
                Route.put("/api/v1/endpoints/{name}", this::replace),
                Route.patch("/api/v1/endpoints/{name}", this::change),
                Route.delete("/api/v1/endpoints/{name}", this::archive));
    }

    private void create(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        DesiredEndpoint wanted = readDesired(bodies.readDocument(context), Optional.empty());
        StoredEndpoint created = rejectTakenName(() -> routeContext.endpoints().create(wanted));
        String name = created.endpoint().definition().name();
        auditLog.logRequest(context, name, "added", Map.of());
        context.header("Location", "/api/v1/endpoints/" + name);
        Responses.writeJson(context, 201, routeContext.toDocument(created));
    }

    private void list(Context context) {
        QueryParams.rejectUnknown(context, Set.of("state", "limit", "continue"));
        EndpointFilter filter = QueryParams.readText(context, "state")
                .map(EndpointRoutes::parseFilter)
                .orElse(EndpointFilter.ALL);
        PagedResponse.write(
                context,
                (token, limit) -> routeContext.endpoints().store().listEndpoints(filter, token, limit),
                routeContext::toDocument);
    }

    private static EndpointFilter parseFilter(String state) {
        return new EndpointFilter(Optional.of(
                switch (state) {
                    case "failing" -> EndpointFilter.State.FAILING;
                    case "paused" -> EndpointFilter.State.PAUSED;
                    case "running" -> EndpointFilter.State.RUNNING;
                    case "archived" -> EndpointFilter.State.ARCHIVED;
                    default ->
                        throw HttpProblem.badRequest("state is %s: it must be failing, paused, running or archived"
                                .formatted(SafeText.quote(state, MAX_QUOTE_LENGTH)));
                }));
    }

    private void get(Context context) {
        QueryParams.rejectUnknown(context, Set.of());
        Responses.writeJson(context, 200, routeContext.toDocumentWithPhase(routeContext.find(context)));
    }

    /** The whole document; a name that is left out stays. */
    private void replace(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        Map<String, Object> document = bodies.readDocument(context);
        change(context, "replaced", there -> {
            Map<String, Object> whole = MergePatch.copyOf(document);
            whole.putIfAbsent("name", there.definition().name());
            return whole;
        });
    }

    private void change(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        Map<String, Object> part = bodies.readPatch(context);
        change(context, "changed", there -> applyPatch(there, part));
    }

    private void change(Context context, String what, Function<ScheduledEndpoint, Map<String, Object>> whole) {
        String name = routeContext.requireActiveName(context);
        StoredEndpoint changed = rejectTakenName(() -> routeContext
                .endpoints()
                .update(name, there -> readDesired(whole.apply(there), Optional.of(there)))
                .orElseThrow(() -> EndpointRouteContext.notFound(name)));
        auditLog.logRequest(context, name, what, Map.of());
        Responses.writeJson(context, 200, routeContext.toDocument(changed));
    }

    /** One baseline takes the place of the other, which could not be named without being given. */
    private static Map<String, Object> applyPatch(ScheduledEndpoint there, Map<String, Object> part) {
        Map<String, Object> whole = StoredEndpointCodec.write(there.definition(), there.overrides());
        StoredEndpointCodec.INTERNAL_FIELDS.forEach(whole::remove);
        if (part.get("interval") instanceof String && !part.containsKey("cron")) {
            whole.remove("cron");
            whole.remove("timeZone");
        } else if (part.get("cron") instanceof String && !part.containsKey("interval")) {
            whole.remove("interval");
        }
        return MergePatch.apply(whole, part);
    }

    private void archive(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, Set.of("by", "reason"));
        Map<String, Object> before;
        try {
            before = archiveReadable(context);
        } catch (UnexpectedStorageException unreadable) {
            before = archiveUnreadable(context.pathParam("name"), unreadable);
        }
        auditLog.logRequest(context, String.valueOf(before.get("name")), "archived", body);
        Responses.writeJson(context, 200, before);
    }

    private Map<String, Object> archiveReadable(Context context) {
        StoredEndpoint before = routeContext.find(context);
        String name = routeContext.requireActiveName(context);
        if (routeContext.endpoints().archive(name).isEmpty()) {
            throw EndpointRouteContext.notFound(name);
        }
        return routeContext.toDocument(before);
    }

    /** What cannot be read cannot be repaired through here either: it must at least not be there for ever. */
    private Map<String, Object> archiveUnreadable(String name, UnexpectedStorageException unreadable) {
        String id = routeContext.endpoints().store().archive(name).orElseThrow(() -> unreadable);
        return Map.of("id", id, "name", name);
    }

    private DesiredEndpoint readDesired(Map<String, Object> document, Optional<ScheduledEndpoint> there) {
        try {
            return routeContext.documents().read(document, there.map(ScheduledEndpoint::definition));
        } catch (IllegalArgumentException refused) {
            throw HttpProblem.invalidDocument(
                    String.valueOf(refused.getMessage()).lines().toList());
        }
    }

    private interface EndpointWrite {
        StoredEndpoint write();
    }

    private static StoredEndpoint rejectTakenName(EndpointWrite change) {
        try {
            return change.write();
        } catch (EndpointNameTakenException taken) {
            throw HttpProblem.alreadyExists(String.valueOf(taken.getMessage()));
        }
    }
}
