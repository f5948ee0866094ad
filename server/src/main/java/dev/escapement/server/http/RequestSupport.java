package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the routes that change something need to read a request. */
public record RequestSupport(RequestBodies bodies, boolean tokenRequired, InstantSource clock) {

    static final String USER_HEADER = "X-Escapement-User";
    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_REASON_LENGTH = 1_000;

    public Instant now() {
        return clock.instant();
    }

    /** Reads an object that has only known fields; returns an empty one if there is no body. */
    public Map<String, Object> readOptionalBody(Context context, Set<String> fields) throws IOException {
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, fields);
        // Before anything is changed, because the log reads both only afterwards.
        List.of("by", "reason").forEach(key -> RequestBodies.rejectUnlessText(body, key));
        return body;
    }

    /**
     * Returns the name of the caller: {@code by} in the body, else the header {@code X-Escapement-User}, else
     * {@code token-holder} if a token is required, else {@code anonymous}. The name is not verified: all callers share
     * one token.
     */
    public String resolveCaller(Context context, Map<String, Object> body) {
        return RequestBodies.readText(body, "by")
                .or(() -> Optional.ofNullable(context.header(USER_HEADER)))
                .map(name -> SafeText.sanitize(name, MAX_NAME_LENGTH))
                .filter(name -> !name.isBlank())
                .orElse(tokenRequired ? "token-holder" : "anonymous");
    }

    /** Returns the field {@code reason} of a body. */
    public static Optional<String> readReason(Map<String, Object> body) {
        return RequestBodies.readText(body, "reason")
                .map(text -> SafeText.sanitize(text, MAX_REASON_LENGTH))
                .filter(text -> !text.isBlank());
    }
}
