package dev.escapement.process.catalogue;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a workflow can be told. Its tasks find it in their environment, under this very name.
 *
 * @param name of the environment variable
 * @param required an execution has to give it
 * @param defaultValue what the tasks get if it is not given; if empty, they get no such variable
 * @param description for people; empty if there is none
 * @param allowed the only values there are; empty if there is no such list
 * @param pattern what the whole value has to match, besides its type
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

    /** Copies the list. */
    public WorkflowParameter {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(defaultValue, "defaultValue is null");
        requireNonNull(description, "description is null");
        requireNonNull(pattern, "pattern is null");
        allowed = List.copyOf(allowed);
    }

    /** What is wrong with a value; empty if nothing is. */
    public Optional<String> findProblem(String value) {
        if (value.indexOf('\0') >= 0) {
            return Optional.of("has a NUL character, which no environment variable can hold");
        }
        if (!type.accepts(value)) {
            return Optional.of(
                    "is %s: it must be %s (%s)".formatted(quote(value), type.description(), type.typeName()));
        }
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            String list = SafeText.sanitize(String.join(", ", allowed), MAX_LIST_LENGTH);
            return Optional.of("is %s: it must be one of %s".formatted(quote(value), list));
        }
        return pattern.filter(regex -> !regex.matcher(value).matches())
                .map(regex -> "is %s: it must match %s".formatted(quote(value), regex));
    }

    private static String quote(String value) {
        return SafeText.quote(value, MAX_QUOTE_LENGTH);
    }
}
