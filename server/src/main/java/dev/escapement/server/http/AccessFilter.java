package dev.escapement.server.http;

import dev.escapement.server.config.LoopbackHosts;
import dev.escapement.server.config.SecretValue;
import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/**
 * Who may ask. With a token, whoever has it. Without one the server is open to this machine only, and then a web page
 * of somebody else must not reach it through the browser that runs here: neither under a name that resolves to loopback
 * (the Host must be loopback) nor by a request across origins (the Origin must be our own).
 */
public final class AccessFilter {

    /** Says nothing of anybody's executions: open, so that probes and the page that asks for the token work. */
    private static final Set<String> OPEN_PATHS =
            Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico", "/health/live", "/health/ready");

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final Set<String> FOREIGN_FETCH_SITES = Set.of("cross-site", "same-site");
    private static final String OPEN_PATH_PREFIX = "/assets/";
    private static final String BEARER_PREFIX = "Bearer ";

    private final byte[] token;

    public AccessFilter(SecretValue token) {
        this.token = token.value().getBytes(StandardCharsets.UTF_8);
    }

    public boolean needsToken() {
        return token.length > 0;
    }

    void check(Context context) {
        setSecurityHeaders(context);
        rejectForeignPages(context);
        if (needsToken() && !isOpen(context.path()) && !hasToken(context)) {
            context.header("WWW-Authenticate", "Bearer realm=\"escapement\"");
            throw HttpProblem.unauthorized("this server needs its token: send the header Authorization: Bearer TOKEN");
        }
    }

    private static boolean isOpen(String path) {
        return OPEN_PATHS.contains(path) || path.startsWith(OPEN_PATH_PREFIX);
    }

    private boolean hasToken(Context context) {
        String given = Optional.ofNullable(context.header("Authorization")).orElse("");
        return given.regionMatches(true, 0, BEARER_PREFIX, 0, BEARER_PREFIX.length())
                // Takes as long whether the first or the last character differs.
                && MessageDigest.isEqual(
                        given.substring(BEARER_PREFIX.length()).strip().getBytes(StandardCharsets.UTF_8), token);
    }

    private void rejectForeignPages(Context context) {
        String host = Optional.ofNullable(context.header("Host")).orElse("");
        if (!needsToken() && !LoopbackHosts.contains(stripPort(host))) {
            throw HttpProblem.forbidden(
                    "the Host of the request is not this machine: without a token the server answers to"
                            + " 127.0.0.1 and localhost only");
        }
        boolean reads = READ_METHODS.contains(context.req().getMethod());
        Optional<String> origin = Optional.ofNullable(context.header("Origin"));
        if (!reads && origin.isPresent() && !isSameOrigin(origin.get(), host)) {
            throw HttpProblem.forbidden(
                    "the request comes from a page of another origin: only this server's own page may"
                            + " change something");
        }
        // A browser always says so. Links to our pages may come from anywhere; what they show may not.
        boolean foreign = FOREIGN_FETCH_SITES.contains(
                Optional.ofNullable(context.header("Sec-Fetch-Site")).orElse(""));
        if (foreign && !isOpen(context.path())) {
            throw HttpProblem.forbidden("the request comes from a page of another site");
        }
    }

    private static boolean isSameOrigin(String origin, String host) {
        try {
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    private static String stripPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
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
