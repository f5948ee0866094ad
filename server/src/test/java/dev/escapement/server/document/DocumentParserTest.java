package dev.escapement.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.DocumentParser.Format;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentParserTest {

    @ParameterizedTest
    @EnumSource
    void readsTrees(Format format) {
        assertThat(DocumentParser.read("{\"a\": [1, 2.5, true, \"x\", {\"b\": \"c\"}], \"n\": null}", format))
                .isEqualTo(Map.of("a", List.of(1, 2.5, true, "x", Map.of("b", "c"))));
    }

    @Test
    void keepsDateLikeTextAsText() {
        assertThat(DocumentParser.read("day: 2026-01-02\nversion: 1.2.3\n", Format.YAML))
                .isEqualTo(Map.of("day", "2026-01-02", "version", "1.2.3"));
    }

    @ParameterizedTest
    @EnumSource
    void refusesDuplicateKeyWithPosition(Format format) {
        assertThatThrownBy(() -> DocumentParser.read("{\"a\": 1,\n \"a\": 2}", format))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("'a'");
    }

    @ParameterizedTest
    @EnumSource
    void refusesNonObjectsAndMultipleDocuments(Format format) {
        for (String text : List.of("", "[1]", "\"x\"", "{\"a\":1} {\"b\":2}", "{\"a\":", "{\"a\": [1, null]}")) {
            assertThatThrownBy(() -> DocumentParser.read(text, format))
                    .describedAs(text)
                    .isInstanceOf(DocumentException.class);
        }
        assertThatThrownBy(() -> DocumentParser.read("a: 1\n---\nb: 2\n", Format.YAML))
                .hasMessageContaining("only one document is allowed");
    }

    @ParameterizedTest
    @EnumSource
    void refusesDeepNesting(Format format) {
        String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> DocumentParser.read(deep, format)).isInstanceOf(DocumentException.class);
    }

    @Test
    void refusesYamlReferences() {
        assertThatThrownBy(() -> DocumentParser.read("a: &x [1]\nb: *x\n", Format.YAML))
                .hasMessageContaining("anchors");
        assertThatThrownBy(() -> DocumentParser.read("a: &x 1\nb: *x\n", Format.YAML))
                .hasMessageContaining("anchors");
    }

    @Test
    void readsSeveralDocumentsAndSkipsEmptyOnes() {
        assertThat(DocumentParser.readAll("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n---\n", Format.YAML))
                .containsExactly(Map.of("a", 1), Map.of("b", 2));
        assertThat(DocumentParser.readAll("{\"a\": 1}", Format.JSON)).containsExactly(Map.of("a", 1));
        assertThatThrownBy(() -> DocumentParser.readAll("---\n---\n", Format.YAML))
                .hasMessageContaining("the document is empty");
        assertThatThrownBy(() -> DocumentParser.readAll("a: 1\n---\n- b\n", Format.YAML))
                .hasMessageContaining("line 3");
    }

    @ParameterizedTest
    @EnumSource
    void omitsNullsInDocumentAndKeepsThemInPatch(Format format) {
        String text = "{\"a\": null, \"b\": {\"c\": null, \"d\": 1}}";
        assertThat(DocumentParser.read(text, format)).isEqualTo(Map.of("b", Map.of("d", 1)));
        assertThat(DocumentParser.readPatch(text, format))
                .isEqualTo(Map.of("a", Optional.empty(), "b", Map.of("c", Optional.empty(), "d", 1)));
    }

    @ParameterizedTest
    @EnumSource
    void omitsNullsInListOfPatch(Format format) {
        String text = "{\"a\": [{\"b\": null, \"c\": 1}], \"d\": null}";
        assertThat(DocumentParser.readPatch(text, format))
                .isEqualTo(Map.of("a", List.of(Map.of("c", 1)), "d", Optional.empty()));
    }

    @Test
    void reportsPositionOfMalformedYaml() {
        assertThatThrownBy(() -> DocumentParser.read("a: 1\nb: [1, 2\nc: 3\n", Format.YAML))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("line ");
    }
}
