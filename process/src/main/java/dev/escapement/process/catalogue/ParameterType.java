package dev.escapement.process.catalogue;

import dev.escapement.backoff.DurationText;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a parameter's text has to look like. It is passed on as text, whatever its type. */
public enum ParameterType {
    /** Any text. */
    STRING("any text"),
    /** A whole number. */
    INTEGER("a whole number such as 3"),
    /** A number. */
    NUMBER("a number such as 0.5"),
    /** True or false. */
    BOOLEAN("true or false"),
    /** A length of time. */
    DURATION("a duration such as 30s or 5m");

    private static final Pattern INTEGER_PATTERN = Pattern.compile("[+-]?\\d{1,100}");
    private static final Pattern NUMBER_PATTERN =
            Pattern.compile("[+-]?(\\d{1,100}(\\.\\d{0,100})?|\\.\\d{1,100})([eE][+-]?\\d{1,4})?");

    private final String description;

    ParameterType(String meaning) {
        this.description = meaning;
    }

    /** The type with that name as it is written in a file. */
    public static Optional<ParameterType> parse(String written) {
        return Arrays.stream(values())
                .filter(type -> type.typeName().equals(written))
                .findFirst();
    }

    /** As it is written in a file. */
    public String typeName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it takes, in words. */
    public String description() {
        return description;
    }

    /** Whether a text is one of these. */
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
        } catch (IllegalArgumentException notOne) {
            return false;
        }
    }
}
