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

/** Converts documents to and from JSON text. */
public final class DocumentJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectWriter ASCII_WRITER = MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private static final TypeReference<Map<String, Object>> TREE_TYPE = new TypeReference<>() {};

    private DocumentJson() {}

    /** Serialises a tree as text that both databases store without loss. */
    public static String write(Map<String, ?> tree) {
        return serialize(tree);
    }

    /** Serialises a list of trees in the same way. */
    public static String write(List<? extends Map<String, ?>> trees) {
        return serialize(trees);
    }

    private static String serialize(Object tree) {
        try {
            String text = MAPPER.writeValueAsString(tree);
            // An unpaired surrogate is legal in JSON but has no UTF-8 form: a database would corrupt or reject it.
            return StandardCharsets.UTF_8.newEncoder().canEncode(text) ? text : ASCII_WRITER.writeValueAsString(tree);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException("cannot serialise a document", impossible);
        }
    }

    public static Map<String, Object> read(String text) {
        try {
            return MAPPER.readValue(text, TREE_TYPE);
        } catch (JsonProcessingException damaged) {
            throw new UncheckedIOException(
                    "stored document is not valid JSON: " + damaged.getOriginalMessage(), damaged);
        }
    }
}
