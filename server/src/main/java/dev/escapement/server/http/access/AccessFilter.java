package dev.escapement.server.http.access;

import dev.escapement.server.config.Settings;
import dev.escapement.server.http.HttpProblem;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Checks whether a request is allowed, before its body is read and without a thread of its own. A request must carry a
 * token or the cookie of a session; {@link Right}s are checked by its route. Pages of other sites in a local browser
 * are kept out: without tokens the Host must be loopback (against DNS rebinding), and the Origin must be this server's
 * own.
 */
public final class AccessFilter extends Handler.Wrapper {

    /** Path of the session of a browser; opening one needs no session. */
    public static final String SESSION_PATH = "/api/v1/session";

    /** Need no token and contain no data: probes, and the page that prompts for the token. */
    private static final Set<String> OPEN_PATHS =
            Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico", "/health/live", "/health/ready");

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final Set<String> FOREIGN_FETCH_SITES = Set.of("cross-site", "same-site");
    private static final String OPEN_PATH_PREFIX = "/assets/";

    private final Authenticator authenticator;

    public AccessFilter(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        setSecurityHeaders(response.getHeaders());
        try {
            request.setAttribute(Caller.ATTRIBUTE, requireCaller(request, response));
            CallerLookup lookup = () -> authenticator.authenticate(request);
            request.setAttribute(CallerLookup.ATTRIBUTE, lookup);
        } catch (HttpProblem rejected) {
            rejected.write(response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private Caller requireCaller(Request request, Response response) {
        rejectForeignPages(request);
        Optional<Caller> caller = authenticator.authenticate(request);
        if (caller.isEmpty() && !isOpen(request)) {
            response.getHeaders().put("WWW-Authenticate", "Bearer realm=\"escapement\"");
            throw HttpProblem.unauthorized("this server needs its token: send the header Authorization: Bearer TOKEN");
        }
        boolean changes = !READ_METHODS.contains(request.getMethod()) && !isOpen(request);
        boolean byCookie = authenticator.required() && Authenticator.usesCookie(request);
        if (changes && byCookie && header(request, "Origin").isEmpty()) {
            throw HttpProblem.forbidden("a request that changes anything with a cookie needs the header Origin");
        }
        return caller.orElse(Caller.UNKNOWN);
    }

    /** The path is compared as it was sent: nothing that is only equivalent is open. */
    private static boolean isOpen(Request request) {
        String path = request.getHttpURI().getPath();
        return OPEN_PATHS.contains(path)
                || path.startsWith(OPEN_PATH_PREFIX)
                || (path.equals(SESSION_PATH) && request.getMethod().equals("POST"));
    }

    private void rejectForeignPages(Request request) {
        String host = header(request, "Host");
        int colon = host.lastIndexOf(':');
        String hostName = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        if (!authenticator.required() && !Settings.isLoopback(hostName)) {
            throw HttpProblem.forbidden(
                    "the Host of the request is not loopback: without a token only 127.0.0.1 and localhost are"
                            + " allowed");
        }
        boolean reads = READ_METHODS.contains(request.getMethod());
        String origin = request.getHeaders().get("Origin");
        if (!reads && origin != null && !isSameOrigin(origin, host)) {
            throw HttpProblem.forbidden(
                    "the request comes from a page of another origin: only this server's own pages may"
                            + " change anything");
        }
        // Set by every browser. Other sites may link to the open pages, but not read data.
        boolean data = !isOpen(request) || !reads;
        if (data && FOREIGN_FETCH_SITES.contains(header(request, "Sec-Fetch-Site"))) {
            throw HttpProblem.forbidden("the request comes from a page of another site");
        }
    }

    private static String header(Request request, String name) {
        return Optional.ofNullable(request.getHeaders().get(name)).orElse("");
    }

    private static boolean isSameOrigin(String origin, String host) {
        try {
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    private static void setSecurityHeaders(HttpFields.Mutable headers) {
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Cache-Control", "no-store");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
