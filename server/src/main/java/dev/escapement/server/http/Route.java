package dev.escapement.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One thing that can be asked.
 *
 * @param method GET, POST, PUT, PATCH or DELETE
 * @param path with parameters in braces
 * @param handler answers
 */
public record Route(HandlerType method, String path, Handler handler) {

    /** Whether the head of its answer can be had alone: not of a stream, which has no end. */
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
