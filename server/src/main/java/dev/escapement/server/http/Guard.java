package dev.escapement.server.http;

import dev.escapement.server.settings.Loopback;
import dev.escapement.server.settings.Secret;
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
final class Guard {

    /** Says nothing of anybody's executions: open, so that probes and the page that asks for the token work. */
    private static final Set<String> OPEN =
            Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico", "/health/live", "/health/ready");

    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final Set<String> FOREIGN = Set.of("cross-site", "same-site");
    private static final String OPEN_FOLDER = "/assets/";
    private static final String BEARER = "Bearer ";

    private final byte[] token;

    Guard(Secret token) {
        this.token = token.value().getBytes(StandardCharsets.UTF_8);
    }

    boolean needsToken() {
        return token.length > 0;
    }

    void check(Context context) {
        headers(context);
        refuseForeignPages(context);
        if (needsToken() && !isOpen(context.path()) && !hasToken(context)) {
            context.header("WWW-Authenticate", "Bearer realm=\"escapement\"");
            throw Problem.unauthorized("this server needs its token: send the header Authorization: Bearer TOKEN");
        }
    }

    private static boolean isOpen(String path) {
        return OPEN.contains(path) || path.startsWith(OPEN_FOLDER);
    }

    private boolean hasToken(Context context) {
        String given = Optional.ofNullable(context.header("Authorization")).orElse("");
        return given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                // Takes as long whether the first or the last character differs.
                && MessageDigest.isEqual(
                        given.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8), token);
    }

    private void refuseForeignPages(Context context) {
        String host = Optional.ofNullable(context.header("Host")).orElse("");
        if (!needsToken() && !Loopback.is(withoutPort(host))) {
            throw Problem.forbidden("the Host of the request is not this machine: without a token the server answers to"
                    + " 127.0.0.1 and localhost only");
        }
        boolean reads = READS.contains(context.req().getMethod());
        Optional<String> origin = Optional.ofNullable(context.header("Origin"));
        if (!reads && origin.isPresent() && !isOurs(origin.get(), host)) {
            throw Problem.forbidden("the request comes from a page of another origin: only this server's own page may"
                    + " change something");
        }
        // A browser always says so. Links to our pages may come from anywhere; what they show may not.
        boolean foreign = FOREIGN.contains(
                Optional.ofNullable(context.header("Sec-Fetch-Site")).orElse(""));
        if (foreign && !isOpen(context.path())) {
            throw Problem.forbidden("the request comes from a page of another site");
        }
    }

    private static boolean isOurs(String origin, String host) {
        try {
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    private static void headers(Context context) {
        context.header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Cache-Control", "no-store")
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
