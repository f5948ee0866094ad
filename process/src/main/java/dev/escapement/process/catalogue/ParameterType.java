package dev.escapement.process.catalogue;

import dev.escapement.backoff.DurationText;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

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
