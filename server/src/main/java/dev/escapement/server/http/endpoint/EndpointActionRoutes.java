package dev.escapement.server.http.endpoint;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointRequestMapper;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.schedule.EndpointStateException;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Routes that pause, resume and run an endpoint, reset its failures, and give it hints. Each takes effect at once. */
public record EndpointActionRoutes(EndpointRouteContext routeContext) {

    private static final Set<String> COMMON_FIELDS = Set.of("by", "reason");
    private static final Set<String> PAUSE_FIELDS = Set.of("until", "for", "by", "reason");
    private static final Set<String> HINT_FIELDS = Set.of("interval", "at", "in", "for", "until", "by", "reason");

    public List<Route> routes() {
        String endpoint = "/api/v1/endpoints/{name}";
        return List.of(
                Route.post(Right.RUN, endpoint + "/pause", this::pause),
                Route.post(Right.RUN, endpoint + "/resume", action("resumed", endpoints()::resume)),
                Route.post(Right.RUN, endpoint + "/run", this::runNow),
                Route.post(
                        Right.CLEAR,
                        endpoint + "/reset-failures",
                        action("failures reset", endpoints()::resetFailures)),
                Route.post(Right.RUN, endpoint + "/hints", this::addHint),
                Route.delete(Right.RUN, endpoint + "/hints", action("hints removed", endpoints()::clearHints)));
    }

    private EndpointService endpoints() {
        return routeContext.endpoints();
    }

    private void pause(ApiRequest http) throws IOException {
        ActionRequest request = readRequest(http, PAUSE_FIELDS);
        Instant now = routeContext.now();
        Instant until = request.end(now).orElse(EndpointPause.INDEFINITE_END);
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
        EndpointPause pause =
                new EndpointPause(until, request.by(), request.reason().orElse(""));
        respond(request, 200, action, endpoints().pause(request.name(), pause));
    }

    private void runNow(ApiRequest http) throws IOException {
        ActionRequest request = readRequest(http, COMMON_FIELDS);
        String reason = request.reason().orElse("requested");
        try {
            respond(request, 202, "run requested", endpoints().runNow(request.name(), request.by(), reason));
        } catch (EndpointStateException notNow) {
            throw HttpProblem.stateConflict(String.valueOf(notNow.getMessage()));
        }
    }

    private void addHint(ApiRequest http) throws IOException {
        ActionRequest request = readRequest(http, HINT_FIELDS);
        String name = request.name();
        String reason = request.reason()
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: it explains every run that the hint to endpoint %s moves".formatted(name)));
        try {
            respond(request, 200, "hint added", endpoints().addHint(name, now -> request.hint(now, reason)));
        } catch (EndpointStateException tooMany) {
            throw HttpProblem.stateConflict(String.valueOf(tooMany.getMessage()));
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest(String.valueOf(invalid.getMessage()));
        }
    }

    private ApiRequest.Handler action(String action, Function<String, Optional<StoredEndpoint>> change) {
        return http -> {
            ActionRequest request = readRequest(http, COMMON_FIELDS);
            respond(request, 200, action, change.apply(request.name()));
        };
    }

    private ActionRequest readRequest(ApiRequest http, Set<String> known) throws IOException {
        Map<String, Object> body = http.readOptionalBody(known);
        return new ActionRequest(http, routeContext.requireActiveName(http), http.actor(body), body);
    }

    private void respond(ActionRequest request, int status, String action, Optional<StoredEndpoint> changed) {
        StoredEndpoint stored = changed.orElseThrow(() -> EndpointRouteContext.notFound(request.name()));
        EndpointRouteContext.logChange(request.by(), request.name(), action, request.body());
        request.http().respond(status, routeContext.toDocument(stored));
    }

    /**
     * A request for an action; its body has a reason, times and durations.
     *
     * @param name of the endpoint
     */
    private record ActionRequest(ApiRequest http, String name, String by, Map<String, Object> body) {

        private static final Duration DEFAULT_HINT_LIFETIME = Duration.ofHours(1);
        private static final int MAX_QUOTE_LENGTH = 100;
        private static final int MAX_MESSAGE_LENGTH = 300;

        Optional<String> reason() {
            return ApiRequest.readReason(body);
        }

        /** Returns the time {@code until}, or now plus the duration {@code for}. */
        Optional<Instant> end(Instant now) {
            Optional<Instant> until = instant("until");
            Optional<Duration> length = duration("for");
            if (until.isPresent() && length.isPresent()) {
                throw HttpProblem.badRequest("until and for are both given: give one");
            }
            return until.or(() -> length.map(now::plus));
        }

        /** @throws IllegalArgumentException if the hint is invalid */
        Hint hint(Instant now, String reason) {
            Optional<Duration> interval = duration("interval").map(EndpointRequestMapper::requireLongEnough);
            Optional<Instant> at = instant("at");
            Optional<Duration> in = duration("in");
            long given = interval.stream().count()
                    + at.stream().count()
                    + in.stream().count();
            if (given != 1) {
                throw HttpProblem.badRequest(
                        "a hint must have exactly one of interval (how often to run), at (run once at a time) and in"
                                + " (run once after a delay); this one has " + given);
            }
            Optional<Instant> end = end(now);
            if (interval.isPresent()) {
                return new IntervalHint(interval.get(), now, end.orElse(now.plus(DEFAULT_HINT_LIFETIME)), by, reason);
            }
            Instant once = at.or(() -> in.map(now::plus)).orElseThrow();
            Instant from = once.isAfter(now) ? once : now;
            return new OneShotHint(once, now, end.orElseGet(() -> from.plus(DEFAULT_HINT_LIFETIME)), by, reason);
        }

        private Optional<Instant> instant(String key) {
            return RequestBodies.readText(body, key).map(text -> {
                try {
                    return Instant.parse(text);
                } catch (DateTimeException unreadable) {
                    throw HttpProblem.badRequest("%s is %s: must be a time such as 2026-11-15T12:00:00Z"
                            .formatted(key, SafeText.quote(text, MAX_QUOTE_LENGTH)));
                }
            });
        }

        private Optional<Duration> duration(String key) {
            return RequestBodies.readText(body, key).map(text -> {
                try {
                    return DurationText.parse(text);
                } catch (IllegalArgumentException invalid) {
                    throw HttpProblem.badRequest("%s is invalid: %s"
                            .formatted(
                                    key, SafeText.sanitize(String.valueOf(invalid.getMessage()), MAX_MESSAGE_LENGTH)));
                }
            });
        }
    }
}
