package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the name of the caller: {@code by} in the body, else the header {@code X-Escapement-User}, else
 * {@code token-holder} if a token is required, else {@code anonymous}. The name is not verified: all callers share one
 * token.
 */
public record CallerResolver(boolean tokenRequired) {

    static final String HEADER = "X-Escapement-User";
    private static final int MAX_NAME_LENGTH = 200;

    public String resolve(Context context, Map<String, Object> body) {
        return RequestBodies.readText(body, "by")
                .or(() -> Optional.ofNullable(context.header(HEADER)))
                .map(name -> SafeText.sanitize(name, MAX_NAME_LENGTH))
                .filter(name -> !name.isBlank())
                .orElse(tokenRequired ? "token-holder" : "anonymous");
    }
}
