package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * In whose name somebody asks: {@code by} in the body, or the header {@code X-Escapement-User}, or {@code token-holder}
 * if a token is needed, or {@code anonymous}. It is what they say of themselves: there is one token for all.
 */
public final class CallerIdentity {

    static final String HEADER = "X-Escapement-User";
    private static final int MAX_NAME_LENGTH = 200;

    private CallerIdentity() {}

    public static String resolve(Context context, Map<String, Object> body, boolean tokenNeeded) {
        return RequestBodies.readText(body, "by")
                .or(() -> Optional.ofNullable(context.header(HEADER)))
                .map(name -> SafeText.sanitize(name, MAX_NAME_LENGTH))
                .filter(name -> !name.isBlank())
                .orElse(tokenNeeded ? "token-holder" : "anonymous");
    }
}
