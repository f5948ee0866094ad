package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.gate.GateCheck;
import dev.escapement.kubernetes.event.EventReasons;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.settings.SettingsTable;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables in the documents say what the code does. */
class DocsTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void theLadderTable() {
        List<Backoff> policies =
                List.of(Backoff.standard(), Backoff.conservative(), Backoff.aggressive(), Policy.DEFAULT.backoff());
        List<List<String>> expected = new ArrayList<>();
        for (int attempt = 1; attempt <= 6; attempt++) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(attempt)));
            for (Backoff policy : policies) {
                Ladder.Rung rung = policy.ladder(attempt).rung(attempt);
                row.add("%s (%s to %s)".formatted(text(rung.nominal()), text(rung.lowest()), text(rung.highest())));
            }
            expected.add(row);
        }
        assertThat(table("backoff.md", "attempt")).isEqualTo(expected);
    }

    @Test
    void theBackoffSettingsTable() {
        BackoffSettings defaults = Backoff.builder().build().settings();
        assertThat(table("backoff.md", "setting"))
                .extracting(row -> row.get(1))
                .containsExactly(
                        text(defaults.base()),
                        text(defaults.max()),
                        Double.toString(defaults.multiplier()),
                        Integer.toString(defaults.jitterPercent()),
                        "none",
                        defaults.spread().name());
        assertThat(table("backoff.md", "setting").get(1).get(2)).endsWith(text(BackoffSettings.LONGEST));
    }

    @Test
    void theKeyedExample() {
        String nanos = Long.toString(Backoff.standard().delayNanos(1, "node/worker-node-1"));
        assertThat(read("backoff.md")).contains("is " + nanos.substring(0, 2) + "." + nanos.substring(2) + " s");
    }

    @Test
    void theGateTable() {
        List<List<String>> expected = Stream.of(GateCheck.values())
                .map(check -> List.of(
                        check.name(), check.reason().name(), check.reason().isTemporary() ? "yes" : "no"))
                .toList();
        assertThat(table("concepts/gate.md", "check")).isEqualTo(expected);
    }

    @Test
    void thePolicyTable() {
        List<List<String>> expected = PolicyText.format(Policy.DEFAULT).entrySet().stream()
                .map(setting -> List.of("`" + setting.getKey() + "`", setting.getValue()))
                .toList();
        assertThat(table("concepts/gate.md", "key")).isEqualTo(expected);
    }

    @Test
    void theFailureReasonsTable() {
        List<List<String>> expected = Stream.of(FailureReason.values())
                .map(reason -> List.of("`" + reason.name() + "`", reason.advice()))
                .toList();
        assertThat(table("concepts/failures.md", "reason")).isEqualTo(expected);
    }

    @Test
    void theSettingsTable() {
        List<List<String>> expected = SettingsTable.ALL.stream()
                .map(setting -> List.of(
                        "`" + setting.key() + "`",
                        setting.fallback().isEmpty() ? "" : "`" + setting.fallback() + "`",
                        setting.description()))
                .toList();
        assertThat(table("settings.md", "setting")).isEqualTo(expected);
    }

    @Test
    void theMetricsTable(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            server.create("failing", "cannot-start", "node/failing", Map.of());
            server.await("failing", "Failed");
            Waiting.until(
                    "the target is released",
                    () -> server.get("/api/v1/targets/node%2Ffailing")
                            .text("/status/state")
                            .equals("BackingOff"));
            assertThat(table("metrics.md", "metric"))
                    .isEqualTo(metrics(server.get("/metrics").raw().body()));
        }
    }

    @Test
    void theTableOfMetricsOnACluster() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMetrics operator = new ServerMetrics(registry);
        operator.call("GET", 200);
        operator.untold(() -> 0, () -> 0);
        assertThat(table("metrics.md", "only on a cluster"))
                .isEqualTo(metrics(registry.scrape()).stream()
                        .filter(metric -> metric.get(0).startsWith("`escapement_kubernetes_"))
                        .toList());
    }

    @Test
    void theTableOfEvents() {
        List<List<String>> expected = EventReasons.typesByReason().entrySet().stream()
                .map(reason -> List.of("`" + reason.getKey() + "`", reason.getValue()))
                .toList();
        assertThat(table("install-kubernetes.md", "event"))
                .extracting(row -> row.subList(0, 2))
                .isEqualTo(expected);
    }

    /** As Prometheus sees them: name, labels and help. */
    private static List<List<String>> metrics(String scraped) {
        Map<String, Set<String>> labels = new TreeMap<>();
        Map<String, String> help = new TreeMap<>();
        for (String line : scraped.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                String[] parts = line.split(" ", 4);
                help.put(parts[2], parts[3]);
            } else if (!line.startsWith("#")) {
                String name = line.replaceFirst("[{ ].*", "").replaceFirst("_(bucket|sum|count|max)$", "");
                Matcher label = Pattern.compile("([a-z_]+)=\"").matcher(line);
                Set<String> all = labels.computeIfAbsent(name, unused -> new TreeSet<>());
                label.results()
                        .map(found -> found.group(1))
                        .filter(found -> !found.equals("le"))
                        .forEach(all::add);
            }
        }
        return help.entrySet().stream()
                .filter(each -> !each.getKey().endsWith("_max"))
                .map(each -> List.of(
                        "`" + each.getKey() + "`",
                        labels.getOrDefault(each.getKey(), Set.of()).stream()
                                .map(label -> "`" + label + "`")
                                .collect(Collectors.joining(", ")),
                        each.getValue()))
                .toList();
    }

    @Test
    void everyDecisionIsListedAndEveryLinkLeadsSomewhere() throws IOException {
        try (Stream<Path> pages = Files.walk(DOCS)) {
            for (Path page :
                    pages.filter(path -> path.toString().endsWith(".md")).toList()) {
                for (String link : links(Files.readString(page))) {
                    assertThat(page.resolveSibling(link))
                            .describedAs("link in %s", page)
                            .exists();
                }
            }
        }
        for (String link : links(Files.readString(Path.of("..", "README.md")))) {
            assertThat(Path.of("..", link)).exists();
        }
        try (Stream<Path> decisions = Files.list(DOCS.resolve("decisions"))) {
            assertThat(decisions.map(path -> path.getFileName().toString()).filter(name -> name.matches("\\d{4}-.*")))
                    .allSatisfy(name -> assertThat(read("decisions/README.md")).contains(name));
        }
    }

    private static List<String> links(String markdown) {
        return Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)")
                .matcher(markdown)
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    /** The rows of the one table whose first column has this title. */
    private static List<List<String>> table(String document, String firstColumn) {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : read(document).lines().toList()) {
            if (line.startsWith("| " + firstColumn + " |")) {
                inside = true;
            } else if (inside && !line.startsWith("|")) {
                break;
            } else if (inside && !line.startsWith("|---")) {
                rows.add(Stream.of(line.substring(1, line.length() - 1).split("\\|"))
                        .map(String::strip)
                        .toList());
            }
        }
        assertThat(rows).describedAs("table '%s' in %s", firstColumn, document).isNotEmpty();
        return rows;
    }

    private static String read(String document) {
        try {
            return Files.readString(DOCS.resolve(document));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Duration duration) {
        return DurationText.format(duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
