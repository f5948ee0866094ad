package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    record Sample(String name, int count) {}

    @Test
    void keepsOrder() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("z", List.of(1, "x", true));
        tree.put("a", Map.of("é", 1.5));
        assertThat(Json.write(tree)).isEqualTo("{\"z\":[1,\"x\",true],\"a\":{\"é\":1.5}}");
        assertThat(Json.writeBytes(tree)).isEqualTo(Json.write(tree).getBytes(StandardCharsets.UTF_8));
        Object read = Json.read(Json.write(tree), Map.class);
        assertThat(read).isEqualTo(tree);
    }

    @Test
    void readsAndConvertsRecords() {
        Sample sample = Json.read("{\"name\":\"x\",\"count\":2,\"unknown\":true}", Sample.class);
        assertThat(sample).isEqualTo(new Sample("x", 2));
        assertThat(Json.fromMap(Json.toMap(sample), Sample.class)).isEqualTo(sample);
    }

    @Test
    void writesHalfASurrogatePairAsEscape() {
        String text = Json.write(Map.of("a", "\ud83dé"));
        assertThat(text).isEqualTo("{\"a\":\"\\uD83D\\u00E9\"}");
        Object read = Json.read(text, Map.class);
        assertThat(read).isEqualTo(Map.of("a", "\ud83dé"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{", "{} {}", "{\"a\":1,\"a\":2}", "{a:1}"})
    void refusesWhatIsNotOneObject(String text) {
        assertThatThrownBy(() -> Json.read(text, Map.class)).isInstanceOf(Json.JsonException.class);
    }

    @Test
    void refusesDeepNesting() {
        String deep = "[".repeat(101) + "]".repeat(101);
        assertThatThrownBy(() -> Json.read("{\"a\":" + deep + "}", Map.class)).isInstanceOf(Json.JsonException.class);
    }

    @Test
    void saysWhere() {
        assertThatThrownBy(() -> Json.read("{\"a\":1,\n\"a\":2}", Map.class))
                .hasMessage("not valid JSON: Duplicate field 'a' (line 2, column 4)");
        assertThatThrownBy(() -> Json.fromMap(Map.of("count", "many"), Sample.class))
                .isInstanceOf(Json.JsonException.class);
    }

    @Test
    void refusesToWriteWhatHasNoJsonForm() {
        assertThatThrownBy(() -> Json.write(Map.of("a", Optional.of(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot be written as JSON: ");
    }
}
