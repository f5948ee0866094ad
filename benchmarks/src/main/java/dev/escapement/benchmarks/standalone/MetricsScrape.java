package dev.escapement.benchmarks.standalone;

import dev.escapement.crashtests.kit.RawHttpClient;
import java.io.IOException;
import java.util.function.Predicate;

/** The server's own counters. */
record MetricsScrape(String text) {

    static MetricsScrape fetch(RawHttpClient http) throws IOException {
        return new MetricsScrape(http.get("/metrics").body());
    }

    /** The sum over all series of that name whose labels fit. */
    double sum(String name, Predicate<String> labels) {
        return text.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .filter(line -> labels.test(line.substring(name.length(), line.lastIndexOf(' '))))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    double sum(String name) {
        return sum(name, any -> true);
    }
}
