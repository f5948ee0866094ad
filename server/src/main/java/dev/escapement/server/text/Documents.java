package dev.escapement.server.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.escapement.governor.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Trees of maps, lists, texts, numbers and truth values from JSON or YAML. One object per text; a key that is there
 * twice, a reference (YAML's {@code &} and {@code *}) and deep nesting are refused. A value that is null counts as not
 * given, as in Kubernetes.
 */
public final class Documents {

    /** No document of ours is half as deep. */
    public static final int DEEPEST = 40;

    private static final String NOTHING = "there is nothing in it";
    private static final int LONGEST_QUOTE = 200;
    private static final int LONGEST_TEXT = 16 << 20;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxNumberLength(100)
            .maxStringLength(LONGEST_TEXT)
            .build();

    private enum Nulls {
        LEFT_OUT,
        KEPT
    }

    /** How to read: what becomes of nulls, and who hears where things stand. */
    private record Manner(Nulls nulls, Places places) {
        static final Manner PLAIN = new Manner(Nulls.LEFT_OUT, Places.UNHEARD);
        static final Manner CHANGE = new Manner(Nulls.KEPT, Places.UNHEARD);
    }

    private Documents() {}

    /** What a text is written in. */
    public enum Format {
        /** As in RFC 8259. */
        JSON,
        /** YAML, of which JSON is a part. */
        YAML;

        private JsonFactory factory() {
            return this == JSON ? Factories.JSON : Factories.YAML;
        }
    }

    /** Apart, so that whoever reads JSON does not load YAML. */
    private static final class Factories {
        static final JsonFactory JSON = JsonFactory.builder()
                .streamReadConstraints(CONSTRAINTS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        static final JsonFactory YAML = YAMLFactory.builder()
                .streamReadConstraints(CONSTRAINTS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .loaderOptions(options())
                .build();

        private static LoaderOptions options() {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(LONGEST_TEXT);
            options.setNestingDepthLimit(DEEPEST);
            return options;
        }
    }

    /**
     * Reads the one object of a text.
     *
     * @throws DocumentException if there is none, more than one, or it is not well-formed
     */
    public static Map<String, Object> read(String text, Format format) {
        return one(text, format, Manner.PLAIN);
    }

    /** The same for what changes another document: a value that is null is an empty {@link Optional}. */
    public static Map<String, Object> readChange(String text, Format format) {
        return one(text, format, Manner.CHANGE);
    }

    /**
     * Reads all objects of a text: in YAML they are separated by {@code ---}, in JSON they just follow each other.
     *
     * @throws DocumentException if there is none, or one is not well-formed
     */
    public static List<Map<String, Object>> readAll(String text, Format format) {
        return parse(text, format, parser -> {
            List<Map<String, Object>> documents = new ArrayList<>();
            for (JsonToken next = parser.nextToken(); next != null; next = parser.nextToken()) {
                if (!isEmpty(parser, next)) {
                    documents.add(started(parser, next, Manner.PLAIN));
                }
            }
            if (documents.isEmpty()) {
                throw at(parser, NOTHING);
            }
            return documents;
        });
    }

    /** What YAML has between two separators with nothing between them. */
    private static boolean isEmpty(JsonParser parser, JsonToken token) throws IOException {
        return token == JsonToken.VALUE_NULL
                || (token == JsonToken.VALUE_STRING && parser.getText().isEmpty());
    }

    /**
     * Reads the one object or list of a text.
     *
     * @param places hears in which line everything stands
     * @return a map or a list
     * @throws DocumentException if there is neither, more than one, or it is not well-formed
     */
    public static Object readObjectOrList(String text, Format format, Places places) {
        return parse(text, format, parser -> {
            JsonToken first = parser.nextToken();
            if (first == null || !first.isStructStart()) {
                throw at(parser, first == null ? NOTHING : "it is neither an object with keys and values nor a list");
            }
            return ended(parser, value(parser, new Manner(Nulls.LEFT_OUT, places)));
        });
    }

    private static <T> T ended(JsonParser parser, T document) throws IOException {
        if (parser.nextToken() != null) {
            throw at(parser, "something follows after the end of the object; one document at a time");
        }
        return document;
    }

    private static Map<String, Object> one(String text, Format format, Manner manner) {
        return parse(text, format, parser -> ended(parser, first(parser, manner)));
    }

    private interface Reading<T> {
        T of(JsonParser parser) throws IOException;
    }

    private static <T> T parse(String text, Format format, Reading<T> reading) {
        try (JsonParser parser = format.factory().createParser(text)) {
            return reading.of(parser);
        } catch (JsonProcessingException malformed) {
            throw at(malformed.getLocation(), malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Map<String, Object> first(JsonParser parser, Manner manner) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw at(parser, NOTHING);
        }
        return started(parser, first, manner);
    }

    private static Map<String, Object> started(JsonParser parser, JsonToken token, Manner manner) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            throw at(parser, "it is not an object with keys and values");
        }
        return object(parser, manner);
    }

    private static Map<String, Object> object(JsonParser parser, Manner manner) throws IOException {
        refuseReferences(parser);
        Map<String, Object> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            manner.places().enter(key, parser.currentTokenLocation().getLineNr());
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                entries.put(key, value(parser, manner));
            } else if (manner.nulls() == Nulls.KEPT) {
                entries.put(key, Optional.empty());
            }
            manner.places().leave();
        }
        return entries;
    }

    private static List<Object> list(JsonParser parser, Manner manner) throws IOException {
        refuseReferences(parser);
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw at(parser, "a list has no value at this place");
            }
            manner.places().enter(values.size(), parser.currentTokenLocation().getLineNr());
            values.add(value(parser, manner));
            manner.places().leave();
        }
        return values;
    }

    private static Object value(JsonParser parser, Manner manner) throws IOException {
        refuseReferences(parser);
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, manner);
            case START_ARRAY -> list(parser, manner);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static void refuseReferences(JsonParser parser) throws IOException {
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw at(parser, "anchors and references (& and *) are not supported: write the value out");
        }
    }

    private static DocumentException at(JsonParser parser, String message) {
        return at(parser.currentTokenLocation(), message);
    }

    private static DocumentException at(JsonLocation where, String message) {
        // Of YAML's messages the indented lines repeat the text and the place.
        String said = message.lines()
                .filter(line -> !line.startsWith(" ") && !line.startsWith("\t") && !line.isBlank())
                .filter(line -> !line.startsWith("at [Source"))
                .limit(2)
                .collect(Collectors.joining(", "));
        String plain = SafeText.sanitize(said, LONGEST_QUOTE);
        return where == null
                ? new DocumentException(plain, Optional.empty())
                : new DocumentException(
                        "line %d, column %d: %s".formatted(where.getLineNr(), where.getColumnNr(), plain),
                        Optional.of(where.getLineNr()));
    }
}
