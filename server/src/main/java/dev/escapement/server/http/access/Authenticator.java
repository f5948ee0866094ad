package dev.escapement.server.http.access;

import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Finds the caller of a request by its token or its session.
 *
 * @param required whether a request without a valid token is rejected
 * @param sharedToken the single token of a simple set-up; empty if there is none
 * @param personalTokens one per person
 */
public record Authenticator(
        boolean required,
        TokenTable sharedToken,
        Supplier<TokenTable> personalTokens,
        TrustedProxy proxy,
        LoginSessions sessions) {

    private static final String BEARER_PREFIX = "Bearer ";
    private static final String COOKIE_PREFIX = "escapement-";

    /** Returns the authenticator of a server that accepts every request. */
    public static Authenticator open() {
        return ofSharedToken("");
    }

    /** Returns the authenticator of a server with a single token; with an empty one it accepts every request. */
    public static Authenticator ofSharedToken(String token) {
        return new Authenticator(
                !token.isEmpty(),
                TokenTable.ofSharedToken(token),
                () -> TokenTable.EMPTY,
                TrustedProxy.NONE,
                new LoginSessions(System::nanoTime));
    }

    public Authenticator withPersonalTokens(Supplier<TokenTable> tokens) {
        return new Authenticator(true, sharedToken, tokens, proxy, sessions);
    }

    public Authenticator withProxy(TrustedProxy trusted) {
        return new Authenticator(required, sharedToken, personalTokens, trusted, sessions);
    }

    private TokenTable tokens() {
        return sharedToken.and(personalTokens.get());
    }

    Optional<Caller> authenticate(Request request) {
        if (!required) {
            return Optional.of(Caller.ANONYMOUS);
        }
        return Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
                .map(this::findBearer)
                .orElseGet(() -> findSession(request))
                .map(TokenTable.Entry::caller)
                .map(caller ->
                        proxy.findPerson(request, caller).map(caller::actingFor).orElse(caller));
    }

    private Optional<TokenTable.Entry> findBearer(String header) {
        return header.regionMatches(true, 0, BEARER_PREFIX, 0, BEARER_PREFIX.length())
                ? tokens().findToken(header.substring(BEARER_PREFIX.length()).strip())
                : Optional.empty();
    }

    private Optional<TokenTable.Entry> findSession(Request request) {
        String name = cookieName(Request.getLocalPort(request));
        return Request.getCookies(request).stream()
                .filter(cookie -> cookie.getName().equals(name))
                .findFirst()
                .flatMap(cookie -> sessions.findSession(cookie.getValue()))
                .flatMap(digest -> tokens().findDigest(digest));
    }

    /** Whether only a cookie, which browsers send by themselves, can have authenticated the request. */
    static boolean usesCookie(Request request) {
        return !request.getHeaders().contains(HttpHeader.AUTHORIZATION);
    }

    /** Cookies do not distinguish ports: the name does. */
    public static String cookieName(int port) {
        return COOKIE_PREFIX + port;
    }

    /** Returns a code for the address that logs a browser in; empty if there is no single token. */
    public Optional<String> createLoginCode() {
        return sharedToken.entries().stream().findFirst().map(entry -> sessions.createCode(entry.sha256()));
    }

    /** Opens a session for a token; returns the secret for its cookie, or empty if the token is not valid. */
    public Optional<String> openSessionByToken(String token) {
        return tokens().findToken(token).map(entry -> sessions.open(entry.sha256()));
    }

    /** Opens a session for a code, which is used up; returns the secret for its cookie. */
    public Optional<String> openSessionByCode(String code) {
        return sessions.redeemCode(code)
                .flatMap(digest -> tokens().findDigest(digest))
                .map(entry -> sessions.open(entry.sha256()));
    }
}
