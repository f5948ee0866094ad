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

/** What is asked of an endpoint for a while: pause, resume, run now, forget failures, hints. Each acts at once. */
public final class EndpointActionRoutes {

    private static final int MAX_REASON_LENGTH = 1_000;
    private static final Set<String> COMMON_FIELDS = Set.of("by", "reason");

    private final EndpointRouteContext routeContext;
    private final RequestBodies bodies;
    private final EndpointAuditLog auditLog;

    public EndpointActionRoutes(EndpointRouteContext parts, RequestBodies bodies, EndpointAuditLog log) {
        this.routeContext = parts;
        this.bodies = bodies;
        this.auditLog = log;
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
                        context -> applyAction(context, "failures forgotten", endpoints()::resetFailures)),
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
            throw HttpProblem.badRequest("until is %s, which has passed: say a later time, or resume".formatted(until));
        }
        if (until.isAfter(EndpointPause.INDEFINITE_END)) {
            throw HttpProblem.badRequest(
                    "until is %s: leave it out for a pause that lasts until somebody resumes it".formatted(until));
        }
        String what = until.equals(EndpointPause.INDEFINITE_END)
                ? "paused until somebody resumes it"
                : "paused until " + until;
        respond(
                context,
                200,
                name,
                what,
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
        String author = auditLog.resolveCaller(context, body);
        String reason = readReason(body).orElse("asked for");
        try {
            respond(context, 202, name, "run asked for", body, endpoints().runNow(name, author, reason));
        } catch (EndpointPausedException paused) {
            throw HttpProblem.stateConflict(String.valueOf(paused.getMessage()));
        }
    }

    private void addHint(Context context) throws IOException {
        Map<String, Object> body = readBody(context, HintBody.FIELDS);
        String name = routeContext.requireActiveName(context);
        String author = auditLog.resolveCaller(context, body);
        String reason = readReason(body)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: a hint to endpoint %s stays with every plan that it touches, so say why"
                                .formatted(name)));
        try {
            respond(
                    context,
                    200,
                    name,
                    "hint given",
                    body,
                    endpoints().addHint(name, now -> HintBody.read(body, now, author, reason)));
        } catch (IllegalArgumentException refused) {
            throw HttpProblem.badRequest(String.valueOf(refused.getMessage()));
        }
    }

    private void applyAction(Context context, String what, Function<String, Optional<StoredEndpoint>> ask)
            throws IOException {
        Map<String, Object> body = readBody(context, COMMON_FIELDS);
        String name = routeContext.requireActiveName(context);
        respond(context, 200, name, what, body, ask.apply(name));
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
            String what,
            Map<String, Object> body,
            Optional<StoredEndpoint> changed) {
        StoredEndpoint stored = changed.orElseThrow(() -> EndpointRouteContext.notFound(name));
        auditLog.logRequest(context, name, what, body);
        Responses.writeJson(context, status, routeContext.toDocument(stored));
    }
}
