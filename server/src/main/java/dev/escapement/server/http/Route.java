package dev.escapement.server.http;

import dev.escapement.server.http.access.Caller;
import dev.escapement.server.http.access.Right;
import io.javalin.http.HandlerType;
import java.util.Optional;
import java.util.Set;

/**
 * An HTTP route.
 *
 * @param path with parameters in braces
 * @param right that the caller needs; empty if every caller may use it who passes the {@code AccessFilter}
 */
public record Route(HandlerType method, String path, Optional<Right> right, ApiRequest.Handler handler) {

    /** Handles a request, or rejects it if its caller does not have the right. */
    void handle(ApiRequest request) throws Exception {
        right.ifPresent(needed -> requireRight(request.caller(), needed));
        handler.handle(request);
    }

    private static void requireRight(Caller caller, Right needed) {
        if (!caller.may(needed)) {
            throw HttpProblem.forbidden("this request needs the right %s, and the token of %s has only %s"
                    .formatted(needed, caller.name(), Right.format(caller.effectiveRights())));
        }
    }

    /** Whether it also serves HEAD: a GET route without an endless response. */
    boolean supportsHead() {
        return method.equals(HandlerType.GET) && !path.endsWith("/events") && !path.endsWith("/logs");
    }

    /** Returns the route of a page or a probe. It ignores the query, unlike routes of the API. */
    public static Route page(String path, ApiRequest.Handler handler) {
        return new Route(HandlerType.GET, path, Optional.empty(), handler);
    }

    /**
     * Returns a route of the API that reads and needs {@link Right#VIEW}.
     *
     * @param parameters of the query; a request with others is rejected
     */
    public static Route get(String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.GET, Right.VIEW, path, handler, parameters);
    }

    public static Route post(Right right, String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.POST, right, path, handler, parameters);
    }

    public static Route delete(Right right, String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.DELETE, right, path, handler, parameters);
    }

    public static Route of(
            HandlerType method, Right right, String path, ApiRequest.Handler handler, String... parameters) {
        return new Route(method, path, Optional.of(right), rejectUnknown(handler, parameters));
    }

    /** Returns a route of the API that every caller may use. */
    public static Route withoutRight(HandlerType method, String path, ApiRequest.Handler handler) {
        return new Route(method, path, Optional.empty(), rejectUnknown(handler));
    }

    /** A misspelt filter would silently return wrong results. */
    private static ApiRequest.Handler rejectUnknown(ApiRequest.Handler handler, String... parameters) {
        Set<String> known = Set.of(parameters);
        return request -> {
            request.rejectUnknownParameters(known);
            handler.handle(request);
        };
    }
}
