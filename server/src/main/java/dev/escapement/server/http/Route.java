package dev.escapement.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * An HTTP route.
 *
 * @param path with parameters in braces
 */
public record Route(HandlerType method, String path, Handler handler) {

    /** Whether it also serves HEAD: a GET route without an endless response. */
    boolean supportsHead() {
        return method.equals(HandlerType.GET) && !path.endsWith("/events") && !path.endsWith("/logs");
    }

    public static Route get(String path, Handler handler) {
        return new Route(HandlerType.GET, path, handler);
    }

    public static Route post(String path, Handler handler) {
        return new Route(HandlerType.POST, path, handler);
    }

    public static Route put(String path, Handler handler) {
        return new Route(HandlerType.PUT, path, handler);
    }

    public static Route patch(String path, Handler handler) {
        return new Route(HandlerType.PATCH, path, handler);
    }

    public static Route delete(String path, Handler handler) {
        return new Route(HandlerType.DELETE, path, handler);
    }
}
