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
import dev.escapement.governor.PlainText;
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
        return one(text, format, Nulls.LEFT_OUT);
    }

    /** The same for what changes another document: a value that is null is an empty {@link Optional}. */
    public static Map<String, Object> readChange(String text, Format format) {
        return one(text, format, Nulls.KEPT);
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
                    documents.add(started(parser, next, Nulls.LEFT_OUT));
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

    private static Map<String, Object> one(String text, Format format, Nulls nulls) {
        return parse(text, format, parser -> {
            Map<String, Object> document = first(parser, nulls);
            if (parser.nextToken() != null) {
                throw at(parser, "something follows after the end of the object; one document at a time");
            }
            return document;
        });
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

    private static Map<String, Object> first(JsonParser parser, Nulls nulls) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw at(parser, NOTHING);
        }
        return started(parser, first, nulls);
    }

    private static Map<String, Object> started(JsonParser parser, JsonToken token, Nulls nulls) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            throw at(parser, "it is not an object with keys and values");
        }
        return object(parser, nulls);
    }

    private static Map<String, Object> object(JsonParser parser, Nulls nulls) throws IOException {
        refuseReferences(parser);
        Map<String, Object> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                entries.put(key, value(parser, nulls));
            } else if (nulls == Nulls.KEPT) {
                entries.put(key, Optional.empty());
            }
        }
        return entries;
    }

    private static List<Object> list(JsonParser parser, Nulls nulls) throws IOException {
        refuseReferences(parser);
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw at(parser, "a list has no value at this place");
            }
            values.add(value(parser, nulls));
        }
        return values;
    }

    private static Object value(JsonParser parser, Nulls nulls) throws IOException {
        refuseReferences(parser);
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, nulls);
            case START_ARRAY -> list(parser, nulls);
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
        String plain = PlainText.of(said, LONGEST_QUOTE);
        return new DocumentException(
                where == null
                        ? plain
                        : "line %d, column %d: %s".formatted(where.getLineNr(), where.getColumnNr(), plain));
    }
}
