package dev.escapement.server.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.text.Documents.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentsTest {

    @ParameterizedTest
    @EnumSource
    void readsTrees(Format format) {
        assertThat(Documents.read("{\"a\": [1, 2.5, true, \"x\", {\"b\": \"c\"}], \"n\": null}", format))
                .isEqualTo(Map.of("a", List.of(1, 2.5, true, "x", Map.of("b", "c"))));
    }

    @Test
    void textsThatLookLikeDatesStayTexts() {
        assertThat(Documents.read("day: 2026-01-02\nversion: 1.2.3\n", Format.YAML))
                .isEqualTo(Map.of("day", "2026-01-02", "version", "1.2.3"));
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKeyThatIsThereTwiceWithItsPlace(Format format) {
        assertThatThrownBy(() -> Documents.read("{\"a\": 1,\n \"a\": 2}", format))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("'a'");
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatIsNoObjectOrMoreThanOne(Format format) {
        for (String text : List.of("", "[1]", "\"x\"", "{\"a\":1} {\"b\":2}", "{\"a\":", "{\"a\": [1, null]}")) {
            assertThatThrownBy(() -> Documents.read(text, format))
                    .describedAs(text)
                    .isInstanceOf(DocumentException.class);
        }
        assertThatThrownBy(() -> Documents.read("a: 1\n---\nb: 2\n", Format.YAML))
                .hasMessageContaining("one document at a time");
    }

    @ParameterizedTest
    @EnumSource
    void refusesDeepNestingInsteadOfFallingOver(Format format) {
        String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> Documents.read(deep, format)).isInstanceOf(DocumentException.class);
    }

    @Test
    void refusesReferencesSoThatNoTextCanGrow() {
        assertThatThrownBy(() -> Documents.read("a: &x [1]\nb: *x\n", Format.YAML))
                .hasMessageContaining("anchors");
        assertThatThrownBy(() -> Documents.read("a: &x 1\nb: *x\n", Format.YAML))
                .hasMessageContaining("anchors");
    }

    @Test
    void severalDocumentsAreReadAndEmptyOnesSkipped() {
        assertThat(Documents.readAll("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n---\n", Format.YAML))
                .containsExactly(Map.of("a", 1), Map.of("b", 2));
        assertThat(Documents.readAll("{\"a\": 1}", Format.JSON)).containsExactly(Map.of("a", 1));
        assertThatThrownBy(() -> Documents.readAll("---\n---\n", Format.YAML)).hasMessageContaining("nothing in it");
        assertThatThrownBy(() -> Documents.readAll("a: 1\n---\n- b\n", Format.YAML))
                .hasMessageContaining("line 3");
    }

    @ParameterizedTest
    @EnumSource
    void nullCountsAsNotGivenButInAChangeItRemoves(Format format) {
        String text = "{\"a\": null, \"b\": {\"c\": null, \"d\": 1}}";
        assertThat(Documents.read(text, format)).isEqualTo(Map.of("b", Map.of("d", 1)));
        assertThat(Documents.readChange(text, format))
                .isEqualTo(Map.of("a", Optional.empty(), "b", Map.of("c", Optional.empty(), "d", 1)));
    }

    @Test
    void brokenYamlNamesThePlace() {
        assertThatThrownBy(() -> Documents.read("a: 1\nb: [1, 2\nc: 3\n", Format.YAML))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("line ");
    }

    @Test
    void writesWhatIsThereAndLeavesOutWhatIsNot() {
        assertThat(Json.write(Map.of("a", Optional.of("x\n\"<"), "b", Optional.empty())))
                .isEqualTo("{\"a\":\"x\\n\\\"<\"}");
        assertThat(Json.line(List.of(1, 2.5, true))).isEqualTo("[1,2.5,true]\n");
    }
}
