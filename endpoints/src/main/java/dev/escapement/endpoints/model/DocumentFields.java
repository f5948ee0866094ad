package dev.escapement.endpoints.model;

import dev.escapement.common.SafeText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads one object of a document. What is wrong is collected, with its path, so that one look is enough. */
public final class DocumentFields {

    private static final int LONGEST_QUOTE = 100;

    private final String path;
    private final Map<String, Object> values;
    private final List<String> problems;

    private DocumentFields(String path, Map<String, Object> values, List<String> problems) {
        this.path = path;
        this.values = values;
        this.problems = problems;
    }

    public static DocumentFields root(Map<String, ?> document, List<String> problems) {
        return new DocumentFields("", new LinkedHashMap<>(document), problems);
    }

    /** Every field that is none of these is a problem: it is a typing error, or a wish that would be ignored. */
    public DocumentFields only(String... known) {
        for (String key : values.keySet()) {
            if (!List.of(known).contains(key)) {
                problem(key, "is no field here (there are: " + String.join(", ", known) + ")");
            }
        }
        return this;
    }

    /** Texts that are longer than anybody needs are refused before they are stored, sent and listed. */
    public DocumentFields shorterThan(int longest, String... keys) {
        for (String key : keys) {
            int length = read(key, DocumentFields::asText, "a text")
                    .map(String::length)
                    .orElse(0);
            refuseLonger(key, length, longest);
        }
        return this;
    }

    /** The same for all keys and values of a map together. */
    public DocumentFields mapShorterThan(int longest, String key) {
        int length = map(key).entrySet().stream()
                .mapToInt(entry -> entry.getKey().length()
                        + asText(entry.getValue()).map(String::length).orElse(0))
                .sum();
        refuseLonger(key, length, longest);
        return this;
    }

    private void refuseLonger(String key, int length, int longest) {
        if (length > longest) {
            problem(key, "has %d characters: the most is %d".formatted(length, longest));
        }
    }

    public boolean has(String key) {
        return values.get(key) != null;
    }

    /** The object under the key; one without fields if there is none. */
    public DocumentFields object(String key) {
        return new DocumentFields(pathOf(key) + ".", map(key), problems);
    }

    public Optional<DocumentFields> optionalObject(String key) {
        return has(key) ? Optional.of(object(key)) : Optional.empty();
    }

    public List<DocumentFields> objects(String key) {
        Object value = values.get(key);
        if (!(value instanceof List<?> list)) {
            return List.of();
        }
        return list.stream()
                .map(item -> new DocumentFields(
                        pathOf(key) + "[].", item instanceof Map<?, ?> map ? copy(map) : Map.of(), problems))
                .toList();
    }

    /** Empty if there is none. */
    public String text(String key) {
        return read(key, DocumentFields::asText, "a text").orElse("");
    }

    public Optional<String> optionalText(String key) {
        return Optional.of(text(key)).filter(text -> !text.isEmpty());
    }

    public String requiredText(String key, String what) {
        String text = text(key);
        if (text.isBlank()) {
            problem(key, "is missing: " + what);
        }
        return text;
    }

    public Optional<Instant> instant(String key) {
        return read(key, value -> parsed(asText(value), Instant::parse), "a time such as 2026-11-15T12:00:00Z");
    }

    public Optional<Double> number(String key) {
        return read(
                key,
                value -> value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty(),
                "a number");
    }

    public Optional<Long> whole(String key) {
        return read(
                key,
                value -> value instanceof Integer || value instanceof Long
                        ? Optional.of(((Number) value).longValue())
                        : Optional.empty(),
                "a whole number");
    }

    public int count(String key) {
        return whole(key).map(Math::toIntExact).orElse(0);
    }

    public boolean truth(String key) {
        return read(
                        key,
                        value -> value instanceof Boolean truth ? Optional.of(truth) : Optional.empty(),
                        "true or false")
                .orElse(false);
    }

    public SortedMap<String, String> texts(String key) {
        TreeMap<String, String> texts = new TreeMap<>();
        map(key).forEach((name, value) -> {
            Optional<String> text = asText(value);
            if (text.isEmpty()) {
                problem(key + "." + name, "is " + shown(value) + ": it must be a text, so write it in quotes");
            }
            text.ifPresent(given -> texts.put(name, given));
        });
        return texts;
    }

    public <T> Optional<T> parse(String key, Function<String, T> parser) {
        return optionalText(key).flatMap(text -> {
            try {
                return Optional.of(parser.apply(text));
            } catch (IllegalArgumentException refused) {
                problem(key, "is refused: " + refused.getMessage());
                return Optional.empty();
            }
        });
    }

    public void problem(String key, String what) {
        problems.add(SafeText.sanitize(pathOf(key), LONGEST_QUOTE) + " " + what);
    }

    private <T> Optional<T> read(String key, Function<Object, Optional<T>> reader, String wanted) {
        Object value = values.get(key);
        if (value == null) {
            return Optional.empty();
        }
        Optional<T> read = reader.apply(value);
        if (read.isEmpty()) {
            problem(key, "is " + shown(value) + ": it must be " + wanted);
        }
        return read;
    }

    private Map<String, Object> map(String key) {
        Object value = values.get(key);
        if (value == null) {
            return Map.of();
        }
        if (value instanceof Map<?, ?> map) {
            return copy(map);
        }
        problem(key, "is " + shown(value) + ": it must be an object");
        return Map.of();
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    private String pathOf(String key) {
        return path + key;
    }

    private static Optional<String> asText(Object value) {
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    private static <T> Optional<T> parsed(Optional<String> text, Function<String, T> parser) {
        try {
            return text.map(parser);
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    private static String shown(Object value) {
        return SafeText.quote(String.valueOf(value), LONGEST_QUOTE);
    }
}
