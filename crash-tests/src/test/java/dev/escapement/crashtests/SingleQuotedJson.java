package dev.escapement.crashtests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Parses JSON with single quotes, which needs no escapes in Java. */
public final class SingleQuotedJson {

    private SingleQuotedJson() {}

    public static JsonNode parse(String text) {
        try {
            return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException invalid) {
            throw new IllegalArgumentException(text, invalid);
        }
    }
}
