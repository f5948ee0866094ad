package dev.escapement.storage.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Documents as text. */
public final class DocumentJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectWriter ASCII_WRITER = MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private static final TypeReference<Map<String, Object>> TREE_TYPE = new TypeReference<>() {};

    private DocumentJson() {}

    /** A tree as text that any database can hold and give back to the letter. */
    public static String write(Map<String, ?> tree) {
        return serialize(tree);
    }

    /** Trees as text, in the same way. */
    public static String write(List<? extends Map<String, ?>> trees) {
        return serialize(trees);
    }

    private static String serialize(Object tree) {
        try {
            String text = MAPPER.writeValueAsString(tree);
            // Half a surrogate pair is legal in JSON and has no form in UTF-8: a database would garble or refuse it.
            return StandardCharsets.UTF_8.newEncoder().canEncode(text) ? text : ASCII_WRITER.writeValueAsString(tree);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException("a tree of texts and numbers cannot be written", impossible);
        }
    }

    /** The tree back. */
    public static Map<String, Object> read(String text) {
        try {
            return MAPPER.readValue(text, TREE_TYPE);
        } catch (JsonProcessingException damaged) {
            throw new UncheckedIOException("a stored document is no JSON: " + damaged.getOriginalMessage(), damaged);
        }
    }
}
