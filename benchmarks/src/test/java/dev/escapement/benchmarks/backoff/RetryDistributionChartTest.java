package dev.escapement.benchmarks.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class RetryDistributionChartTest {

    private final String chart =
            RetryDistributionChart.draw(RetryDistribution.ours(5), RetryDistribution.clampAfterJitter(5));

    @Test
    void drawsWellFormedSvgWithLabels() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart)));
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("Escapement", "1.1 %", "Clamp after jitter", "50.3 %", "270 s", "300 s");
    }

    @Test
    void documentationChartIsUpToDate() throws Exception {
        assertThat(Files.readString(Path.of("..", "docs", "images", "herd.svg")))
                .as("run benchmarks/backoff --quick to update it")
                .isEqualTo(chart);
    }
}
