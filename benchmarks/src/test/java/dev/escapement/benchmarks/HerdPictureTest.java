package dev.escapement.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class HerdPictureTest {

    private final String picture = HerdPicture.of(Herd.ours(5), Herd.clampAfterJitter(5));

    @Test
    void itIsWellFormedAndSaysWhatItShows() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture)));
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("Escapement", "1.1 %", "Clamp after jitter", "50.3 %", "270 s", "300 s");
    }

    @Test
    void theOneInTheDocumentationIsMadeFromTheseDraws() throws Exception {
        assertThat(Files.readString(Path.of("..", "docs", "images", "herd.svg")))
                .as("run benchmarks/backoff --quick to draw it anew")
                .isEqualTo(picture);
    }
}
