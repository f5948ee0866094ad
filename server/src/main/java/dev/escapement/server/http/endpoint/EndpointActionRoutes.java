package dev.escapement.server.http.endpoint;

import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.schedule.EndpointService.EndpointPausedException;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Routes that pause, resume and run an endpoint, reset its failures, and give it hints. Each takes effect at once. */
public record EndpointActionRoutes(EndpointRouteContext routeContext, RequestBodies bodies, EndpointAuditLog auditLog) {

    public List<Route> routes() {
        String endpoint = "/api/v1/endpoints/{name}";
        return List.of(
                Route.post(endpoint + "/pause", this::pause),
                Route.post(endpoint + "/resume", context -> applyAction(context, "resumed", endpoints()::resume)),
                Route.post(endpoint + "/run", this::runNow),
                Route.post(
                        endpoint + "/reset-failures",
                        context -> applyAction(context, "failures reset", endpoints()::resetFailures)),
                Route.post(endpoint + "/hints", this::addHint),
                Route.delete(
                        endpoint + "/hints",
                        context -> applyAction(context, "hints removed", endpoints()::clearHints)));
    }

    private EndpointService endpoints() {
        return routeContext.endpoints();
    }

    private void pause(Context context) throws IOException {
        ActionBody body = readBody(context, ActionBody.PAUSE_FIELDS);
        String name = routeContext.requireActiveName(context);
        Instant now = routeContext.now();
        Instant until = body.end(now).orElse(EndpointPause.INDEFINITE_END);
        if (!until.isAfter(now)) {
            throw HttpProblem.badRequest(
                    "until is %s, which is not in the future: use a later time, or resume".formatted(until));
        }
        if (until.isAfter(EndpointPause.INDEFINITE_END)) {
            throw HttpProblem.badRequest(
                    "until is %s: leave it out to pause until the endpoint is resumed".formatted(until));
        }
        String action =
                until.equals(EndpointPause.INDEFINITE_END) ? "paused until it is resumed" : "paused until " + until;
        EndpointPause pause = new EndpointPause(
                until,
                auditLog.resolveCaller(context, body.fields()),
                body.reason().orElse(""));
        respond(context, 200, name, action, body, endpoints().pause(name, pause));
    }

    private void runNow(Context context) throws IOException {
        ActionBody body = readBody(context, ActionBody.COMMON_FIELDS);
        String name = routeContext.requireActiveName(context);
        String caller = auditLog.resolveCaller(context, body.fields());
        String reason = body.reason().orElse("requested");
        try {
            respond(context, 202, name, "run requested", body, endpoints().runNow(name, caller, reason));
        } catch (EndpointPausedException paused) {
            throw HttpProblem.stateConflict(String.valueOf(paused.getMessage()));
        }
    }

    private void addHint(Context context) throws IOException {
        ActionBody body = readBody(context, ActionBody.HINT_FIELDS);
        String name = routeContext.requireActiveName(context);
        String caller = auditLog.resolveCaller(context, body.fields());
        String reason = body.reason()
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: it explains every run that the hint to endpoint %s moves".formatted(name)));
        try {
            var changed = endpoints().addHint(name, now -> body.hint(now, caller, reason));
            respond(context, 200, name, "hint added", body, changed);
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest(String.valueOf(invalid.getMessage()));
        }
    }

    private void applyAction(Context context, String action, Function<String, Optional<StoredEndpoint>> change)
            throws IOException {
        ActionBody body = readBody(context, ActionBody.COMMON_FIELDS);
        String name = routeContext.requireActiveName(context);
        respond(context, 200, name, action, body, change.apply(name));
    }

    private ActionBody readBody(Context context, Set<String> known) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, known);
        return new ActionBody(body);
    }

    private void respond(
            Context context,
            int status,
            String name,
            String action,
            ActionBody body,
            Optional<StoredEndpoint> changed) {
        StoredEndpoint stored = changed.orElseThrow(() -> EndpointRouteContext.notFound(name));
        auditLog.logRequest(context, name, action, body.fields());
        Responses.writeJson(context, status, routeContext.toDocument(stored));
    }
}
