package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import dev.escapement.governor.Target;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.Set;

/** Reads query parameters. */
public final class QueryParams {

    public static final String DEFAULT_NAMESPACE = "default";
    private static final int MAX_QUOTE_LENGTH = 200;
    private static final int DEFAULT_PAGE_SIZE = 50;
    private static final int MAX_PAGE_SIZE = 500;

    private QueryParams() {}

    public static Optional<String> readText(Context context, String name) {
        return Optional.ofNullable(context.queryParam(name)).filter(value -> !value.isEmpty());
    }

    /** Rejects unknown parameters, because a misspelt filter would silently return wrong results. */
    public static void rejectUnknown(Context context, Set<String> known) {
        for (String name : context.queryParamMap().keySet()) {
            if (!known.contains(name)) {
                throw HttpProblem.badRequest("%s is not a parameter of %s".formatted(quote(name), context.path()));
            }
        }
    }

    public static String namespace(Context context) {
        return readText(context, "namespace").orElse(DEFAULT_NAMESPACE);
    }

    static int limit(Context context) {
        return (int) readNumber(context, "limit", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE);
    }

    public static long readNumber(Context context, String name, long defaultValue, long min, long max) {
        String text = readText(context, name).orElse(Long.toString(defaultValue));
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below.
        }
        throw HttpProblem.badRequest(
                "%s is %s: it must be a whole number from %d to %d".formatted(name, quote(text), min, max));
    }

    public static boolean readBoolean(Context context, String name) {
        String text = readText(context, name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw HttpProblem.badRequest("%s is %s: it must be true or false".formatted(name, quote(text)));
        }
        return text.equals("true");
    }

    /** Quotes a value of a request in a message. */
    public static String quote(String text) {
        return SafeText.quote(text, MAX_QUOTE_LENGTH);
    }

    public static Target parseTarget(String text) {
        try {
            return Target.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw HttpProblem.badRequest(String.valueOf(malformed.getMessage()));
        }
    }
}
