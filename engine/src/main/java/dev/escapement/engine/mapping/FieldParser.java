package dev.escapement.engine.mapping;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parses the values of a stored document and collects every problem. After a problem it returns a placeholder. */
final class FieldParser {

    private static final int MAX_QUOTE_LENGTH = 100;

    private final List<String> problems = new ArrayList<>();

    /** Returns the text; empty if it is absent. */
    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    static Optional<String> optionalText(@Nullable String value) {
        return Optional.of(text(value)).filter(text -> !text.isEmpty());
    }

    static @Nullable String orNull(Optional<?> value) {
        return value.isPresent() ? value.get().toString() : null;
    }

    static long number(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** Returns the number, or the nearest that an {@code int} can hold: no count of ours is that large. */
    static int count(@Nullable Long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number(value)));
    }

    static SortedMap<String, String> texts(Map<String, String> values) {
        TreeMap<String, String> texts = new TreeMap<>();
        values.forEach((key, value) -> texts.put(key, text(value)));
        return texts;
    }

    /** Returns a time that every document of this kind has. */
    Instant instant(String path, @Nullable String value) {
        checkPresent(path, value);
        return optionalInstant(path, value).orElse(Instant.EPOCH);
    }

    Optional<Instant> optionalInstant(String path, @Nullable String value) {
        return parse(path, value, Instant::parse, "must be a time such as 2026-11-15T12:00:00Z");
    }

    Optional<Duration> duration(String path, @Nullable String value) {
        return parse(path, value, DurationText::parse, "must be a duration such as 5m");
    }

    /** Returns a constant that every document of this kind has. */
    <E extends Enum<E>> E constant(String path, @Nullable String value, E placeholder) {
        checkPresent(path, value);
        return optionalConstant(path, value, placeholder.getDeclaringClass()).orElse(placeholder);
    }

    <E extends Enum<E>> Optional<E> optionalConstant(String path, @Nullable String value, Class<E> type) {
        return parse(
                path, value, text -> Enum.valueOf(type, text), "must be one of " + List.of(type.getEnumConstants()));
    }

    private <T> Optional<T> parse(String path, @Nullable String value, Function<String, T> parser, String rule) {
        return optionalText(value).flatMap(text -> {
            try {
                return Optional.of(parser.apply(text));
            } catch (DateTimeParseException | IllegalArgumentException invalid) {
                problem(path, "is %s: %s".formatted(SafeText.quote(text, MAX_QUOTE_LENGTH), rule));
                return Optional.empty();
            }
        });
    }

    private void checkPresent(String path, @Nullable String value) {
        if (optionalText(value).isEmpty()) {
            problem(path, "is missing");
        }
    }

    void problem(String path, String problem) {
        problems.add(path + " " + problem);
    }

    /** @throws IllegalArgumentException if there was a problem; the message lists all of them */
    void throwIfInvalid(String document) {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(document + ": " + String.join("; ", problems));
        }
    }
}
