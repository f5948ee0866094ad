package dev.escapement.server.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.escapement.common.SafeText;
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
public final class DocumentParser {

    /** No document of ours is half as deep. */
    public static final int MAX_DEPTH = 40;

    private static final String EMPTY_MESSAGE = "there is nothing in it";
    private static final int MAX_QUOTE_LENGTH = 200;
    private static final int MAX_TEXT_LENGTH = 16 << 20;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxNumberLength(100)
            .maxStringLength(MAX_TEXT_LENGTH)
            .build();

    private enum NullHandling {
        OMIT,
        KEEP
    }

    /** How to read: what becomes of nulls, and who hears where things stand. */
    private record ReadOptions(NullHandling nulls, DocumentPositionListener positions) {
        static final ReadOptions DOCUMENT = new ReadOptions(NullHandling.OMIT, DocumentPositionListener.NONE);
        static final ReadOptions PATCH = new ReadOptions(NullHandling.KEEP, DocumentPositionListener.NONE);
    }

    private DocumentParser() {}

    /** What a text is written in. */
    public enum Format {
        /** As in RFC 8259. */
        JSON,
        /** YAML, of which JSON is a part. */
        YAML;

        private JsonFactory factory() {
            return this == JSON ? ParserFactories.JSON : ParserFactories.YAML;
        }
    }

    /** Apart, so that whoever reads JSON does not load YAML. */
    private static final class ParserFactories {
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
            options.setCodePointLimit(MAX_TEXT_LENGTH);
            options.setNestingDepthLimit(MAX_DEPTH);
            return options;
        }
    }

    /**
     * Reads the one object of a text.
     *
     * @throws DocumentException if there is none, more than one, or it is not well-formed
     */
    public static Map<String, Object> read(String text, Format format) {
        return readOne(text, format, ReadOptions.DOCUMENT);
    }

    /** The same for what changes another document: a value that is null is an empty {@link Optional}. */
    public static Map<String, Object> readPatch(String text, Format format) {
        return readOne(text, format, ReadOptions.PATCH);
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
                    documents.add(readObjectFrom(parser, next, ReadOptions.DOCUMENT));
                }
            }
            if (documents.isEmpty()) {
                throw errorAt(parser, EMPTY_MESSAGE);
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
    public static Object readObjectOrList(String text, Format format, DocumentPositionListener places) {
        return parse(text, format, parser -> {
            JsonToken first = parser.nextToken();
            if (first == null || !first.isStructStart()) {
                throw errorAt(
                        parser,
                        first == null ? EMPTY_MESSAGE : "it is neither an object with keys and values nor a list");
            }
            return requireEnd(parser, readValue(parser, new ReadOptions(NullHandling.OMIT, places)));
        });
    }

    private static <T> T requireEnd(JsonParser parser, T document) throws IOException {
        if (parser.nextToken() != null) {
            throw errorAt(parser, "something follows after the end of the object; one document at a time");
        }
        return document;
    }

    private static Map<String, Object> readOne(String text, Format format, ReadOptions manner) {
        return parse(text, format, parser -> requireEnd(parser, readFirst(parser, manner)));
    }

    private interface ParserFunction<T> {
        T read(JsonParser parser) throws IOException;
    }

    private static <T> T parse(String text, Format format, ParserFunction<T> reading) {
        try (JsonParser parser = format.factory().createParser(text)) {
            return reading.read(parser);
        } catch (JsonProcessingException malformed) {
            throw errorAt(malformed.getLocation(), malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Map<String, Object> readFirst(JsonParser parser, ReadOptions manner) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw errorAt(parser, EMPTY_MESSAGE);
        }
        return readObjectFrom(parser, first, manner);
    }

    private static Map<String, Object> readObjectFrom(JsonParser parser, JsonToken token, ReadOptions manner)
            throws IOException {
        if (token != JsonToken.START_OBJECT) {
            throw errorAt(parser, "it is not an object with keys and values");
        }
        return readObject(parser, manner);
    }

    private static Map<String, Object> readObject(JsonParser parser, ReadOptions manner) throws IOException {
        rejectReferences(parser);
        Map<String, Object> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            manner.positions().enter(key, parser.currentTokenLocation().getLineNr());
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                entries.put(key, readValue(parser, manner));
            } else if (manner.nulls() == NullHandling.KEEP) {
                entries.put(key, Optional.empty());
            }
            manner.positions().leave();
        }
        return entries;
    }

    private static List<Object> readList(JsonParser parser, ReadOptions manner) throws IOException {
        rejectReferences(parser);
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw errorAt(parser, "a list has no value at this place");
            }
            manner.positions()
                    .enter(values.size(), parser.currentTokenLocation().getLineNr());
            values.add(readValue(parser, manner));
            manner.positions().leave();
        }
        return values;
    }

    private static Object readValue(JsonParser parser, ReadOptions manner) throws IOException {
        rejectReferences(parser);
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser, manner);
            case START_ARRAY -> readList(parser, manner);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static void rejectReferences(JsonParser parser) throws IOException {
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw errorAt(parser, "anchors and references (& and *) are not supported: write the value out");
        }
    }

    private static DocumentException errorAt(JsonParser parser, String message) {
        return errorAt(parser.currentTokenLocation(), message);
    }

    private static DocumentException errorAt(JsonLocation where, String message) {
        // Of YAML's messages the indented lines repeat the text and the place.
        String said = message.lines()
                .filter(line -> !line.startsWith(" ") && !line.startsWith("\t") && !line.isBlank())
                .filter(line -> !line.startsWith("at [Source"))
                .limit(2)
                .collect(Collectors.joining(", "));
        String plain = SafeText.sanitize(said, MAX_QUOTE_LENGTH);
        return where == null
                ? new DocumentException(plain, Optional.empty())
                : new DocumentException(
                        "line %d, column %d: %s".formatted(where.getLineNr(), where.getColumnNr(), plain),
                        Optional.of(where.getLineNr()));
    }
}
