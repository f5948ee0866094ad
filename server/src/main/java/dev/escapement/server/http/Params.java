package dev.escapement.server.http;

import dev.escapement.governor.SafeText;
import dev.escapement.governor.Target;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.Set;

/** Reads what stands in the address of a request. */
final class Params {

    static final String DEFAULT_NAMESPACE = "default";
    private static final int LONGEST_QUOTE = 200;
    private static final int USUAL_PAGE = 50;
    private static final int LARGEST_PAGE = 500;

    private Params() {}

    static Optional<String> text(Context context, String name) {
        return Optional.ofNullable(context.queryParam(name)).filter(value -> !value.isEmpty());
    }

    /** A misspelt filter would silently answer another question. */
    static void refuseStrangers(Context context, Set<String> known) {
        for (String name : context.queryParamMap().keySet()) {
            if (!known.contains(name)) {
                throw Problem.badRequest(
                        "%s is no parameter of %s".formatted(SafeText.quote(name, LONGEST_QUOTE), context.path()));
            }
        }
    }

    static String namespace(Context context) {
        return text(context, "namespace").orElse(DEFAULT_NAMESPACE);
    }

    static int limit(Context context) {
        return (int) number(context, "limit", USUAL_PAGE, 1, LARGEST_PAGE);
    }

    static long number(Context context, String name, long usual, long least, long most) {
        String text = text(context, name).orElse(Long.toString(usual));
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below says it.
        }
        throw Problem.badRequest("%s is %s: it must be a whole number from %d to %d"
                .formatted(name, SafeText.quote(text, LONGEST_QUOTE), least, most));
    }

    static boolean truth(Context context, String name) {
        String text = text(context, name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw Problem.badRequest(
                    "%s is %s: it must be true or false".formatted(name, SafeText.quote(text, LONGEST_QUOTE)));
        }
        return text.equals("true");
    }

    static Target target(String text) {
        try {
            return Target.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.badRequest(String.valueOf(malformed.getMessage()));
        }
    }
}
