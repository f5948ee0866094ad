package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A parameter of a workflow, passed to its tasks as an environment variable of the same name.
 *
 * @param required whether an execution must set it
 * @param defaultValue value if the execution does not set it; if empty, the variable is not set
 * @param description empty if there is none
 * @param allowed allowed values; empty if all are allowed
 * @param pattern must match the whole value
 */
public record WorkflowParameter(
        String name,
        ParameterType type,
        boolean required,
        Optional<String> defaultValue,
        String description,
        List<String> allowed,
        Optional<Pattern> pattern) {

    private static final int MAX_QUOTE_LENGTH = 60;
    private static final int MAX_LIST_LENGTH = 200;

    public WorkflowParameter {
        allowed = List.copyOf(allowed);
    }

    /** Returns the problem of a value; empty if it is valid. */
    public Optional<String> findProblem(String value) {
        return findProblem(value, allowed);
    }

    Optional<String> findProblem(String value, List<String> allowedValues) {
        if (value.indexOf('\0') >= 0) {
            return Optional.of("has a NUL character, which no environment variable can contain");
        }
        if (!type.accepts(value)) {
            return Optional.of(
                    "is %s: it must be %s (%s)".formatted(quote(value), type.description(), type.typeName()));
        }
        if (!allowedValues.isEmpty() && !allowedValues.contains(value)) {
            String list = SafeText.sanitize(String.join(", ", allowedValues), MAX_LIST_LENGTH);
            return Optional.of("is %s: it must be one of %s".formatted(quote(value), list));
        }
        return pattern.filter(regex -> !regex.matcher(value).matches())
                .map(regex -> "is %s: it must match %s".formatted(quote(value), regex));
    }

    private static String quote(String value) {
        return SafeText.quote(value, MAX_QUOTE_LENGTH);
    }
}
