package dev.escapement.api.schema;

import dev.escapement.common.SafeText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One problem of a document.
 *
 * @param path where, such as {@code spec.workflowRef.workflowId} or {@code hints[2].at}; empty for the whole document
 * @param value what is there, safe to show: strings are quoted and cut; empty if the problem is not about a value
 * @param rule what must hold, or what is wrong if there is no value to show
 */
public record Violation(String path, String value, String rule) {

    private static final int MAX_PATH_LENGTH = 200;
    private static final int MAX_VALUE_LENGTH = 100;

    public Violation {
        path = SafeText.sanitize(path, MAX_PATH_LENGTH);
    }

    /** Returns a problem that has no value to show; the rule continues the sentence that the path begins. */
    static Violation of(String path, String rule) {
        return new Violation(path, "", rule);
    }

    /** Returns a problem with a value. */
    static Violation of(String path, @Nullable Object value, String rule) {
        return new Violation(path, show(value), rule);
    }

    /** Returns the problem as a sentence, such as {@code spec.confidence is 1.5: must be at most 1}. */
    public String message() {
        String found = value.isEmpty() ? " " : " is " + value + ": ";
        return path.isEmpty() ? rule : path + found + rule;
    }

    private static String show(@Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return "an object";
        } else if (value instanceof List<?>) {
            return "a list";
        }
        String text = String.valueOf(value);
        return value instanceof String
                ? SafeText.quote(text, MAX_VALUE_LENGTH)
                : SafeText.sanitize(text, MAX_VALUE_LENGTH);
    }
}
