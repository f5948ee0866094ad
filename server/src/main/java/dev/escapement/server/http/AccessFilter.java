package dev.escapement.server.http;

import dev.escapement.server.config.Settings;
import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether a request is allowed. With a token configured, a request must carry it. Without one only this machine
 * has access, and pages of other sites in a local browser are kept out: the Host must be loopback (against DNS
 * rebinding), and the Origin must be this server's own.
 */
public final class AccessFilter {

    /** Need no token and contain no data: probes, and the page that prompts for the token. */
    private static final Set<String> OPEN_PATHS =
            Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico", "/health/live", "/health/ready");

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final Set<String> FOREIGN_FETCH_SITES = Set.of("cross-site", "same-site");
    private static final String OPEN_PATH_PREFIX = "/assets/";
    private static final String BEARER_PREFIX = "Bearer ";

    private final byte[] token;

    public AccessFilter(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    public boolean needsToken() {
        return token.length > 0;
    }

    void check(Context context) {
        setSecurityHeaders(context);
        rejectForeignPages(context);
        if (needsToken() && !isOpen(context.path()) && !hasToken(context)) {
            context.header("WWW-Authenticate", "Bearer realm=\"escapement\"");
            throw new HttpProblem(
                    401, "Unauthorized", "this server needs its token: send the header Authorization: Bearer TOKEN");
        }
    }

    private static boolean isOpen(String path) {
        return OPEN_PATHS.contains(path) || path.startsWith(OPEN_PATH_PREFIX);
    }

    private boolean hasToken(Context context) {
        String given = header(context, "Authorization");
        return given.regionMatches(true, 0, BEARER_PREFIX, 0, BEARER_PREFIX.length())
                // Compares in constant time.
                && MessageDigest.isEqual(
                        given.substring(BEARER_PREFIX.length()).strip().getBytes(StandardCharsets.UTF_8), token);
    }

    private void rejectForeignPages(Context context) {
        String host = header(context, "Host");
        int colon = host.lastIndexOf(':');
        String hostName = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        if (!needsToken() && !Settings.isLoopback(hostName)) {
            throw HttpProblem.forbidden(
                    "the Host of the request is not loopback: without a token only 127.0.0.1 and localhost are"
                            + " allowed");
        }
        boolean reads = READ_METHODS.contains(context.req().getMethod());
        String origin = context.header("Origin");
        if (!reads && origin != null && !isSameOrigin(origin, host)) {
            throw HttpProblem.forbidden(
                    "the request comes from a page of another origin: only this server's own pages may"
                            + " change anything");
        }
        // Set by every browser. Other sites may link to the open pages, but not read data.
        if (FOREIGN_FETCH_SITES.contains(header(context, "Sec-Fetch-Site")) && !isOpen(context.path())) {
            throw HttpProblem.forbidden("the request comes from a page of another site");
        }
    }

    private static String header(Context context, String name) {
        return Optional.ofNullable(context.header(name)).orElse("");
    }

    private static boolean isSameOrigin(String origin, String host) {
        try {
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    private static void setSecurityHeaders(Context context) {
        context.header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Cache-Control", "no-store")
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
