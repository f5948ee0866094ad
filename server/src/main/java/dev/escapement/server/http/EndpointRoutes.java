package dev.escapement.server.http;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpointCodec;
import dev.escapement.endpoints.schedule.EndpointNameTakenException;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.governor.SafeText;
import dev.escapement.storage.problem.UnexpectedStorageException;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Endpoints: add, find, change, archive. */
final class EndpointRoutes {

    private static final int LONGEST_QUOTE = 200;

    private final EndpointParts parts;
    private final Bodies bodies;
    private final EndpointLog log;

    EndpointRoutes(EndpointParts parts, Bodies bodies, EndpointLog log) {
        this.parts = parts;
        this.bodies = bodies;
        this.log = log;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/endpoints", this::create),
                Route.get("/api/v1/endpoints", this::list),
                Route.get("/api/v1/endpoints/{name}", this::get),
                Route.put("/api/v1/endpoints/{name}", this::replace),
                Route.patch("/api/v1/endpoints/{name}", this::change),
                Route.delete("/api/v1/endpoints/{name}", this::archive));
    }

    private void create(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of());
        DesiredEndpoint wanted = wanted(bodies.document(context), Optional.empty());
        StoredEndpoint created = taken(() -> parts.endpoints().create(wanted));
        String name = created.endpoint().definition().name();
        log.asked(context, name, "added", Map.of());
        context.header("Location", "/api/v1/endpoints/" + name);
        Answers.json(context, 201, parts.document(created));
    }

    private void list(Context context) {
        Params.refuseStrangers(context, Set.of("state", "limit", "continue"));
        EndpointFilter filter =
                Params.text(context, "state").map(EndpointRoutes::filter).orElse(EndpointFilter.ALL);
        Lists.answer(
                context,
                (token, limit) -> parts.endpoints().store().listEndpoints(filter, token, limit),
                parts::document);
    }

    private static EndpointFilter filter(String state) {
        return new EndpointFilter(Optional.of(
                switch (state) {
                    case "failing" -> EndpointFilter.State.FAILING;
                    case "paused" -> EndpointFilter.State.PAUSED;
                    case "running" -> EndpointFilter.State.RUNNING;
                    case "archived" -> EndpointFilter.State.ARCHIVED;
                    default ->
                        throw Problem.badRequest("state is %s: it must be failing, paused, running or archived"
                                .formatted(SafeText.quote(state, LONGEST_QUOTE)));
                }));
    }

    private void get(Context context) {
        Params.refuseStrangers(context, Set.of());
        Answers.json(context, 200, parts.documentWithPhase(parts.find(context)));
    }

    /** The whole document; a name that is left out stays. */
    private void replace(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of());
        Map<String, Object> document = bodies.document(context);
        change(context, "replaced", there -> {
            Map<String, Object> whole = Trees.copy(document);
            whole.putIfAbsent("name", there.definition().name());
            return whole;
        });
    }

    private void change(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of());
        Map<String, Object> part = bodies.change(context);
        change(context, "changed", there -> merged(there, part));
    }

    private void change(Context context, String what, Function<Endpoint, Map<String, Object>> whole) {
        String name = parts.name(context);
        StoredEndpoint changed = taken(() -> parts.endpoints()
                .update(name, there -> wanted(whole.apply(there), Optional.of(there)))
                .orElseThrow(() -> EndpointParts.unknown(name)));
        log.asked(context, name, what, Map.of());
        Answers.json(context, 200, parts.document(changed));
    }

    /** One baseline takes the place of the other, which could not be named without being given. */
    private static Map<String, Object> merged(Endpoint there, Map<String, Object> part) {
        Map<String, Object> whole = StoredEndpointCodec.write(there.definition(), there.overrides());
        StoredEndpointCodec.INTERNAL_FIELDS.forEach(whole::remove);
        if (part.get("interval") instanceof String && !part.containsKey("cron")) {
            whole.remove("cron");
            whole.remove("timeZone");
        } else if (part.get("cron") instanceof String && !part.containsKey("interval")) {
            whole.remove("interval");
        }
        return Trees.merge(whole, part);
    }

    private void archive(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of());
        Map<String, Object> body = bodies.optionalDocument(context);
        Bodies.refuseStrangers(body, Set.of("by", "reason"));
        Map<String, Object> before;
        try {
            before = archived(context);
        } catch (UnexpectedStorageException unreadable) {
            before = archivedUnread(context.pathParam("name"), unreadable);
        }
        log.asked(context, String.valueOf(before.get("name")), "archived", body);
        Answers.json(context, 200, before);
    }

    private Map<String, Object> archived(Context context) {
        StoredEndpoint before = parts.find(context);
        String name = parts.name(context);
        if (parts.endpoints().archive(name).isEmpty()) {
            throw EndpointParts.unknown(name);
        }
        return parts.document(before);
    }

    /** What cannot be read cannot be repaired through here either: it must at least not be there for ever. */
    private Map<String, Object> archivedUnread(String name, UnexpectedStorageException unreadable) {
        String id = parts.endpoints().store().archive(name).orElseThrow(() -> unreadable);
        return Map.of("id", id, "name", name);
    }

    private DesiredEndpoint wanted(Map<String, Object> document, Optional<Endpoint> there) {
        try {
            return parts.documents().read(document, there.map(Endpoint::definition));
        } catch (IllegalArgumentException refused) {
            throw Problem.badDocument(
                    String.valueOf(refused.getMessage()).lines().toList());
        }
    }

    private interface Change {
        StoredEndpoint make();
    }

    private static StoredEndpoint taken(Change change) {
        try {
            return change.make();
        } catch (EndpointNameTakenException taken) {
            throw Problem.conflict(String.valueOf(taken.getMessage()));
        }
    }
}
