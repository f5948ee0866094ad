package dev.escapement.process.catalogue;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A parameter of a workflow, passed to its tasks as an environment variable of the same name.
 *
 * @param required whether an execution must set it
 * @param defaultValue value if the execution does not set it; if empty, the variable is not set
 * @param description empty if there is none
 * @param allowed allowed values; empty if all are allowed
 * @param pattern must match the whole value, which may then have at most 4096 characters
 */
public record WorkflowParameter(
        String name,
        ParameterType type,
        boolean required,
        Optional<String> defaultValue,
        String description,
        List<String> allowed,
        Optional<ParameterPattern> pattern) {

    private static final int MAX_QUOTE_LENGTH = 60;
    private static final int MAX_LIST_LENGTH = 200;

    /** The format that a parameter's value must have. Values of all types are passed to tasks as text. */
    public enum ParameterType {
        STRING("any text"),
        INTEGER("a whole number such as 3"),
        NUMBER("a number such as 0.5"),
        BOOLEAN("true or false"),
        DURATION("a duration such as 30s or 5m");

        private static final Pattern INTEGER_PATTERN = Pattern.compile("[+-]?\\d{1,100}");
        private static final Pattern NUMBER_PATTERN =
                Pattern.compile("[+-]?(\\d{1,100}(\\.\\d{0,100})?|\\.\\d{1,100})([eE][+-]?\\d{1,4})?");

        private final String description;

        ParameterType(String description) {
            this.description = description;
        }

        /** Parses a type name of a workflow file. */
        public static Optional<ParameterType> parse(String name) {
            return Arrays.stream(values())
                    .filter(type -> type.typeName().equals(name))
                    .findFirst();
        }

        /** Returns the name used in workflow files. */
        public String typeName() {
            return name().toLowerCase(Locale.ROOT);
        }

        public String description() {
            return description;
        }

        public boolean accepts(String text) {
            return switch (this) {
                case STRING -> true;
                case INTEGER -> INTEGER_PATTERN.matcher(text).matches();
                case NUMBER -> NUMBER_PATTERN.matcher(text).matches();
                case BOOLEAN -> text.equals("true") || text.equals("false");
                case DURATION -> isDuration(text);
            };
        }

        private static boolean isDuration(String text) {
            try {
                DurationText.parse(text);
                return true;
            } catch (IllegalArgumentException invalid) {
                return false;
            }
        }
    }

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
        if (pattern.isPresent() && value.length() > ParameterPattern.MAX_VALUE_LENGTH) {
            return Optional.of("has %d characters: the limit for a parameter with a pattern is %d"
                    .formatted(value.length(), ParameterPattern.MAX_VALUE_LENGTH));
        }
        return pattern.flatMap(regex -> findMismatch(regex, value));
    }

    private static Optional<String> findMismatch(ParameterPattern pattern, String value) {
        try {
            return pattern.matches(value)
                    ? Optional.empty()
                    : Optional.of("is %s: it must match %s".formatted(quote(value), pattern));
        } catch (StackOverflowError tooDeep) {
            return Optional.of("cannot be checked: its pattern %s needs too much memory".formatted(pattern));
        }
    }

    private static String quote(String value) {
        return SafeText.quote(value, MAX_QUOTE_LENGTH);
    }
}
