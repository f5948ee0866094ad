package dev.escapement.server.http.transport;

import dev.escapement.server.http.access.Caller;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * Requests of one client for one resource. Flows are served in turn, so that a burst delays only its own flow.
 *
 * @param address of the client, or of the proxy that it uses
 * @param caller name of the token, or of the person for whom a proxy sends it
 * @param resource as {@link #resourceOf}; empty for a path without a route, so that clients cannot invent flows
 */
record RequestFlow(String address, String caller, String resource) {

    private static final int RESOURCE_SEGMENTS = 3;

    /** @param resources of all routes */
    static RequestFlow of(Request request, Set<String> resources) {
        String caller = request.getAttribute(Caller.ATTRIBUTE) instanceof Caller known ? known.name() : "";
        String resource = resourceOf(request.getHttpURI().getPath());
        return new RequestFlow(Request.getRemoteAddr(request), caller, resources.contains(resource) ? resource : "");
    }

    /** Returns the beginning of a path, such as {@code /api/v1/executions}. */
    static String resourceOf(String path) {
        int end = 0;
        for (int segment = 0; segment < RESOURCE_SEGMENTS; segment++) {
            int slash = path.indexOf('/', end + 1);
            if (slash < 0) {
                return path;
            }
            end = slash;
        }
        return path.substring(0, end);
    }
}
