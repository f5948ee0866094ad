package dev.escapement.server.http;

import io.javalin.http.HandlerType;
import java.util.Set;

/**
 * An HTTP route.
 *
 * @param path with parameters in braces
 */
public record Route(HandlerType method, String path, ApiRequest.Handler handler) {

    /** Whether it also serves HEAD: a GET route without an endless response. */
    boolean supportsHead() {
        return method.equals(HandlerType.GET) && !path.endsWith("/events") && !path.endsWith("/logs");
    }

    /** Returns the route of a page or a probe. It ignores the query, unlike routes of the API. */
    public static Route page(String path, ApiRequest.Handler handler) {
        return new Route(HandlerType.GET, path, handler);
    }

    /**
     * Returns a route of the API.
     *
     * @param parameters of the query; a request with others is rejected
     */
    public static Route get(String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.GET, path, handler, parameters);
    }

    public static Route post(String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.POST, path, handler, parameters);
    }

    public static Route delete(String path, ApiRequest.Handler handler, String... parameters) {
        return of(HandlerType.DELETE, path, handler, parameters);
    }

    public static Route of(HandlerType method, String path, ApiRequest.Handler handler, String... parameters) {
        Set<String> known = Set.of(parameters);
        return new Route(method, path, request -> {
            // A misspelt filter would silently return wrong results.
            request.rejectUnknownParameters(known);
            handler.handle(request);
        });
    }
}
