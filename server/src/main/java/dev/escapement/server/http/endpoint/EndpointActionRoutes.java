package dev.escapement.server.http.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointPause;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPausedException;
import dev.escapement.endpoints.schedule.EndpointService;
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
public final class EndpointActionRoutes {

    private static final int MAX_REASON_LENGTH = 1_000;
    private static final Set<String> COMMON_FIELDS = Set.of("by", "reason");

    private final EndpointRouteContext routeContext;
    private final RequestBodies bodies;
    private final EndpointAuditLog auditLog;

    public EndpointActionRoutes(EndpointRouteContext routeContext, RequestBodies bodies, EndpointAuditLog auditLog) {
        this.routeContext = routeContext;
        this.bodies = bodies;
        this.auditLog = auditLog;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/v1/endpoints/{name}/pause", this::pause),
                Route.post(
                        "/api/v1/endpoints/{name}/resume",
                        context -> applyAction(context, "resumed", endpoints()::resume)),
                Route.post("/api/v1/endpoints/{name}/run", this::runNow),
                Route.post(
                        "/api/v1/endpoints/{name}/reset-failures",
                        context -> applyAction(context, "failures reset", endpoints()::resetFailures)),
                Route.post("/api/v1/endpoints/{name}/hints", this::addHint),
                Route.delete(
                        "/api/v1/endpoints/{name}/hints",
                        context -> applyAction(context, "hints removed", endpoints()::clearHints)));
    }

    private EndpointService endpoints() {
        return routeContext.endpoints();
    }

    private void pause(Context context) throws IOException {
        Map<String, Object> body = readBody(context, Set.of("until", "for", "by", "reason"));
        String name = routeContext.requireActiveName(context);
        Instant now = endpoints().store().clock().instant();
        Instant until = TimeFieldReader.readEnd(body, now).orElse(EndpointPause.INDEFINITE_END);
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
        respond(
                context,
                200,
                name,
                action,
                body,
                endpoints()
                        .pause(
                                name,
                                new EndpointPause(
                                        until,
                                        auditLog.resolveCaller(context, body),
                                        readReason(body).orElse(""))));
    }

    private void runNow(Context context) throws IOException {
        Map<String, Object> body = readBody(context, COMMON_FIELDS);
        String name = routeContext.requireActiveName(context);
        String caller = auditLog.resolveCaller(context, body);
        String reason = readReason(body).orElse("requested");
        try {
            respond(context, 202, name, "run requested", body, endpoints().runNow(name, caller, reason));
        } catch (EndpointPausedException paused) {
            throw HttpProblem.stateConflict(String.valueOf(paused.getMessage()));
        }
    }

    private void addHint(Context context) throws IOException {
        Map<String, Object> body = readBody(context, HintBody.FIELDS);
        String name = routeContext.requireActiveName(context);
        String caller = auditLog.resolveCaller(context, body);
        String reason = readReason(body)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: it explains every run that the hint to endpoint %s moves".formatted(name)));
        try {
            respond(
                    context,
                    200,
                    name,
                    "hint added",
                    body,
                    endpoints().addHint(name, now -> HintBody.read(body, now, caller, reason)));
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest(String.valueOf(invalid.getMessage()));
        }
    }

    private void applyAction(Context context, String action, Function<String, Optional<StoredEndpoint>> change)
            throws IOException {
        Map<String, Object> body = readBody(context, COMMON_FIELDS);
        String name = routeContext.requireActiveName(context);
        respond(context, 200, name, action, body, change.apply(name));
    }

    private Map<String, Object> readBody(Context context, Set<String> known) throws IOException {
        QueryParams.rejectUnknown(context, Set.of());
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, known);
        return body;
    }

    private static Optional<String> readReason(Map<String, Object> body) {
        return RequestBodies.readText(body, "reason")
                .map(text -> SafeText.sanitize(text, MAX_REASON_LENGTH))
                .filter(text -> !text.isBlank());
    }

    private void respond(
            Context context,
            int status,
            String name,
            String action,
            Map<String, Object> body,
            Optional<StoredEndpoint> changed) {
        StoredEndpoint stored = changed.orElseThrow(() -> EndpointRouteContext.notFound(name));
        auditLog.logRequest(context, name, action, body);
        Responses.writeJson(context, status, routeContext.toDocument(stored));
    }
}
