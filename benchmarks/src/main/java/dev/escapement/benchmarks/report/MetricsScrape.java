package dev.escapement.benchmarks.report;

import dev.escapement.crashtests.kit.RawHttpClient;
import java.io.IOException;

/** The metrics of a server, in the text format of Prometheus. */
public record MetricsScrape(String text) {

    public static MetricsScrape fetch(RawHttpClient http) throws IOException {
        return new MetricsScrape(http.get("/metrics").body());
    }

    /** Returns the sum over all series of that name; 0 if there is none. */
    public double sum(String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
