package dev.escapement.server.http;

import dev.escapement.endpoints.model.EndpointPause;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPausedException;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.governor.SafeText;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What is asked of an endpoint for a while: pause, resume, run now, forget failures, hints. Each acts at once. */
final class EndpointRequestRoutes {

    private static final int LONGEST_REASON = 1_000;
    private static final Set<String> PLAIN = Set.of("by", "reason");

    private final EndpointParts parts;
    private final Bodies bodies;
    private final EndpointLog log;

    EndpointRequestRoutes(EndpointParts parts, Bodies bodies, EndpointLog log) {
        this.parts = parts;
        this.bodies = bodies;
        this.log = log;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/endpoints/{name}/pause", this::pause),
                Route.post(
                        "/api/v1/endpoints/{name}/resume", context -> plain(context, "resumed", endpoints()::resume)),
                Route.post("/api/v1/endpoints/{name}/run", this::run),
                Route.post(
                        "/api/v1/endpoints/{name}/reset-failures",
                        context -> plain(context, "failures forgotten", endpoints()::resetFailures)),
                Route.post("/api/v1/endpoints/{name}/hints", this::hint),
                Route.delete(
                        "/api/v1/endpoints/{name}/hints",
                        context -> plain(context, "hints removed", endpoints()::clearHints)));
    }

    private EndpointService endpoints() {
        return parts.endpoints();
    }

    private void pause(Context context) throws IOException {
        Map<String, Object> body = body(context, Set.of("until", "for", "by", "reason"));
        String name = parts.name(context);
        Instant now = endpoints().store().clock().instant();
        Instant until = Times.end(body, now).orElse(EndpointService.INDEFINITE_PAUSE_END);
        if (!until.isAfter(now)) {
            throw Problem.badRequest("until is %s, which has passed: say a later time, or resume".formatted(until));
        }
        if (until.isAfter(EndpointService.INDEFINITE_PAUSE_END)) {
            throw Problem.badRequest(
                    "until is %s: leave it out for a pause that lasts until somebody resumes it".formatted(until));
        }
        String what = until.equals(EndpointService.INDEFINITE_PAUSE_END)
                ? "paused until somebody resumes it"
                : "paused until " + until;
        answer(
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
                                        log.who(context, body),
                                        reason(body).orElse(""))));
    }

    private void run(Context context) throws IOException {
        Map<String, Object> body = body(context, PLAIN);
        String name = parts.name(context);
        String author = log.who(context, body);
        String reason = reason(body).orElse("asked for");
        try {
            answer(context, 202, name, "run asked for", body, endpoints().runNow(name, author, reason));
        } catch (EndpointPausedException paused) {
            throw Problem.notNow(String.valueOf(paused.getMessage()));
        }
    }

    private void hint(Context context) throws IOException {
        Map<String, Object> body = body(context, HintBody.FIELDS);
        String name = parts.name(context);
        String author = log.who(context, body);
        String reason = reason(body)
                .orElseThrow(() -> Problem.badRequest(
                        "reason is missing: a hint to endpoint %s stays with every plan that it touches, so say why"
                                .formatted(name)));
        try {
            answer(
                    context,
                    200,
                    name,
                    "hint given",
                    body,
                    endpoints().addHint(name, now -> HintBody.read(body, now, author, reason)));
        } catch (IllegalArgumentException refused) {
            throw Problem.badRequest(String.valueOf(refused.getMessage()));
        }
    }

    private void plain(Context context, String what, Function<String, Optional<StoredEndpoint>> ask)
            throws IOException {
        Map<String, Object> body = body(context, PLAIN);
        String name = parts.name(context);
        answer(context, 200, name, what, body, ask.apply(name));
    }

    private Map<String, Object> body(Context context, Set<String> known) throws IOException {
        Params.refuseStrangers(context, Set.of());
        Map<String, Object> body = bodies.optionalDocument(context);
        Bodies.refuseStrangers(body, known);
        return body;
    }

    private static Optional<String> reason(Map<String, Object> body) {
        return Bodies.text(body, "reason")
                .map(text -> SafeText.sanitize(text, LONGEST_REASON))
                .filter(text -> !text.isBlank());
    }

    private void answer(
            Context context,
            int status,
            String name,
            String what,
            Map<String, Object> body,
            Optional<StoredEndpoint> changed) {
        StoredEndpoint stored = changed.orElseThrow(() -> EndpointParts.unknown(name));
        log.asked(context, name, what, body);
        Answers.json(context, status, parts.document(stored));
    }
}
