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
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Parses JSON and YAML into trees of maps, lists, strings, numbers and booleans. Rejects duplicate keys, YAML
 * references ({@code &} and {@code *}) and deep nesting. A null value counts as missing, as in Kubernetes.
 */
public final class DocumentParser {

    /** More than twice as deep as any document of the API. */
    private static final int MAX_DEPTH = 40;

    private static final int MAX_NODES = 500_000;
    private static final String EMPTY_MESSAGE = "the document is empty";
    private static final int MAX_QUOTE_LENGTH = 200;
    private static final int MAX_TEXT_LENGTH = 16 << 20;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxNumberLength(100)
            .maxStringLength(MAX_TEXT_LENGTH)
            .build();

    private final JsonParser parser;
    private boolean keepNulls;
    private int nodes;
    private Optional<ObjIntConsumer<String>> lineListener = Optional.empty();

    private DocumentParser(JsonParser parser) {
        this.parser = parser;
    }

    /** The format of a text. */
    public enum Format {
        JSON,
        YAML;

        private JsonFactory factory() {
            return this == JSON ? ParserFactories.JSON : ParserFactories.YAML;
        }
    }

    /** Loaded lazily, so that the YAML parser is loaded only if needed. */
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
     * Parses a text that contains one object.
     *
     * @throws DocumentException if it contains none or several, or is malformed
     */
    public static Map<String, Object> read(String text, Format format) {
        return parse(text, format, DocumentParser::readSingle);
    }

    /** Parses a merge patch: a null value becomes an empty {@link Optional}. */
    public static Map<String, Object> readPatch(String text, Format format) {
        return parse(text, format, parser -> {
            parser.keepNulls = true;
            return parser.readSingle();
        });
    }

    /**
     * Parses all objects of a text. YAML separates them by {@code ---}; JSON needs no separator.
     *
     * @throws DocumentException if there is none, or one is malformed
     */
    public static List<Map<String, Object>> readAll(String text, Format format) {
        return parse(text, format, DocumentParser::readDocuments);
    }

    /**
     * Parses a text that contains one object or list.
     *
     * @param lineListener receives the path of every value, such as {@code items.3.headers.Accept}, and its line, from
     *     1
     * @return a map or a list
     * @throws DocumentException if it contains neither or several, or is malformed
     */
    public static Object readObjectOrList(String text, Format format, ObjIntConsumer<String> lineListener) {
        return parse(text, format, parser -> {
            parser.lineListener = Optional.of(lineListener);
            if (!parser.firstToken().isStructStart()) {
                throw parser.error("the document must be an object or a list");
            }
            return parser.requireEnd(parser.readValue(""));
        });
    }

    private interface ParserFunction<T> {
        T read(DocumentParser parser) throws IOException;
    }

    private static <T> T parse(String text, Format format, ParserFunction<T> function) {
        try (JsonParser parser = format.factory().createParser(text)) {
            return function.read(new DocumentParser(parser));
        } catch (JsonProcessingException malformed) {
            throw errorAt(malformed.getLocation(), malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Map<String, Object> readSingle() throws IOException {
        return requireEnd(readDocument(firstToken()));
    }

    private List<Map<String, Object>> readDocuments() throws IOException {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != null; next = parser.nextToken()) {
            // A YAML document between two separators may be empty.
            boolean empty = next == JsonToken.VALUE_STRING && parser.getText().isEmpty();
            if (!empty && next != JsonToken.VALUE_NULL) {
                documents.add(readDocument(next));
            }
        }
        if (documents.isEmpty()) {
            throw error(EMPTY_MESSAGE);
        }
        return documents;
    }

    private JsonToken firstToken() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw error(EMPTY_MESSAGE);
        }
        return first;
    }

    private <T> T requireEnd(T document) throws IOException {
        if (parser.nextToken() != null) {
            throw error("unexpected content after the end of the document: only one document is allowed");
        }
        return document;
    }

    private Map<String, Object> readDocument(JsonToken token) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            throw error("the document must be an object");
        }
        countNode();
        return readObject("");
    }

    /** @param path of the object, with a dot at its end; empty for the document */
    private Map<String, Object> readObject(String path) throws IOException {
        rejectReferences();
        Map<String, Object> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            countNode();
            String key = parser.currentName();
            String child = enter(path, key);
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                entries.put(key, readValue(child));
            } else if (keepNulls) {
                entries.put(key, Optional.empty());
            }
        }
        return entries;
    }

    private List<Object> readList(String path) throws IOException {
        rejectReferences();
        List<Object> values = new ArrayList<>();
        // A patch replaces a list as a whole: a null in its items removes nothing.
        boolean patch = keepNulls;
        keepNulls = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            countNode();
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw error("an item of a list must not be null");
            }
            values.add(readValue(enter(path, values.size())));
        }
        keepNulls = patch;
        return values;
    }

    /** Paths are built only for a listener: long keys above many values would cost more than the document itself. */
    private String enter(String path, Object segment) {
        if (lineListener.isEmpty()) {
            return "";
        }
        String child = path + segment;
        lineListener.get().accept(child, parser.currentTokenLocation().getLineNr());
        return child + ".";
    }

    /** A tiny value takes many times the memory of its text. */
    private void countNode() {
        nodes++;
        if (nodes > MAX_NODES) {
            throw error("the document has more than %d keys and items".formatted(MAX_NODES));
        }
    }

    private Object readValue(String path) throws IOException {
        rejectReferences();
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(path);
            case START_ARRAY -> readList(path);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private void rejectReferences() throws IOException {
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw error("anchors and references (& and *) are not supported: write the value out");
        }
    }

    private DocumentException error(String message) {
        return errorAt(parser.currentTokenLocation(), message);
    }

    private static DocumentException errorAt(JsonLocation where, String message) {
        // The indented lines of YAML's messages repeat the text and the position.
        String shortened = message.lines()
                .filter(line -> !line.startsWith(" ") && !line.startsWith("\t") && !line.isBlank())
                .filter(line -> !line.startsWith("at [Source"))
                .limit(2)
                .collect(Collectors.joining(", "));
        String plain = SafeText.sanitize(shortened, MAX_QUOTE_LENGTH);
        return where == null
                ? new DocumentException(plain, 0)
                : new DocumentException(
                        "line %d, column %d: %s".formatted(where.getLineNr(), where.getColumnNr(), plain),
                        where.getLineNr());
    }

    /** A malformed document. The message names the problem, the line and the column. */
    public static final class DocumentException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final int line;

        /** @param line from 1; 0 if it is not known */
        DocumentException(String message, int line) {
            super(message);
            this.line = line;
        }

        /** Returns the line, from 1, if it is known. */
        public Optional<Integer> line() {
            return line > 0 ? Optional.of(line) : Optional.empty();
        }
    }
}
