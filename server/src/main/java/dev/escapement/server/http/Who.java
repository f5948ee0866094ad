package dev.escapement.server.http;

import dev.escapement.governor.SafeText;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/**
 * In whose name somebody asks: {@code by} in the body, or the header {@code X-Escapement-User}, or {@code token-holder}
 * if a token is needed, or {@code anonymous}. It is what they say of themselves: there is one token for all.
 */
final class Who {

    static final String HEADER = "X-Escapement-User";
    private static final int LONGEST = 200;

    private Who() {}

    static String asks(Context context, Map<String, Object> body, boolean tokenNeeded) {
        return Bodies.text(body, "by")
                .or(() -> Optional.ofNullable(context.header(HEADER)))
                .map(name -> SafeText.sanitize(name, LONGEST))
                .filter(name -> !name.isBlank())
                .orElse(tokenNeeded ? "token-holder" : "anonymous");
    }
}
