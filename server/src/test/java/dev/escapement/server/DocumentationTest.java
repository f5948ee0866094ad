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
import dev.escapement.kubernetes.event.EventMapper;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
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

/** Compares the tables in the documentation with the code. */
class DocumentationTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void ladderTableMatchesCode() {
        List<Backoff> policies =
                List.of(Backoff.standard(), Backoff.conservative(), Backoff.aggressive(), Policy.DEFAULT.backoff());
        List<List<String>> expected = new ArrayList<>();
        for (int attempt = 1; attempt <= 6; attempt++) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(attempt)));
            for (Backoff policy : policies) {
                Ladder.Rung rung = policy.ladder(attempt).rung(attempt);
                row.add("%s (%s to %s)"
                        .formatted(
                                formatDuration(rung.nominal()),
                                formatDuration(rung.lowest()),
                                formatDuration(rung.highest())));
            }
            expected.add(row);
        }
        assertThat(readTable("backoff.md", "attempt")).isEqualTo(expected);
    }

    @Test
    void backoffSettingsTableMatchesCode() {
        BackoffSettings defaults = Backoff.builder().build().settings();
        assertThat(readTable("backoff.md", "setting"))
                .extracting(row -> row.get(1))
                .containsExactly(
                        formatDuration(defaults.base()),
                        formatDuration(defaults.max()),
                        Double.toString(defaults.multiplier()),
                        Integer.toString(defaults.jitterPercent()),
                        "none",
                        defaults.spread().name());
        assertThat(readTable("backoff.md", "setting").get(1).get(2)).endsWith(formatDuration(BackoffSettings.LONGEST));
    }

    @Test
    void keyedExampleMatchesCode() {
        String nanos = Long.toString(Backoff.standard().delayNanos(1, "node/worker-node-1"));
        assertThat(read("backoff.md")).contains("is " + nanos.substring(0, 2) + "." + nanos.substring(2) + " s");
    }

    @Test
    void gateTableMatchesCode() {
        List<List<String>> expected = Stream.of(GateCheck.values())
                .map(check -> List.of(
                        check.name(), check.reason().name(), check.reason().isTemporary() ? "yes" : "no"))
                .toList();
        assertThat(readTable("concepts/gate.md", "check")).isEqualTo(expected);
    }

    @Test
    void policyTableMatchesCode() {
        List<List<String>> expected = PolicyText.format(Policy.DEFAULT).entrySet().stream()
                .map(setting -> List.of("`" + setting.getKey() + "`", setting.getValue()))
                .toList();
        assertThat(readTable("concepts/gate.md", "key")).isEqualTo(expected);
    }

    @Test
    void failureReasonsTableMatchesCode() {
        List<List<String>> expected = Stream.of(FailureReason.values())
                .map(reason -> List.of("`" + reason.name() + "`", reason.advice()))
                .toList();
        assertThat(readTable("concepts/failures.md", "reason")).isEqualTo(expected);
    }

    @Test
    void settingsTableMatchesCode() {
        List<List<String>> expected = SettingsTable.ALL.stream()
                .map(setting -> List.of(
                        "`" + setting.key() + "`",
                        setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`",
                        setting.description()))
                .toList();
        assertThat(readTable("settings.md", "setting")).isEqualTo(expected);
    }

    @Test
    void metricsTableMatchesCode(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("failing", "cannot-start", "node/failing", Map.of());
            server.awaitPhase("failing", "Failed");
            ConditionPoller.await(
                    "the target is released",
                    () -> server.get("/api/v1/targets/node%2Ffailing")
                            .text("/status/state")
                            .equals("BackingOff"));
            assertThat(readTable("metrics.md", "metric"))
                    .isEqualTo(parseMetrics(server.get("/metrics").raw().body()));
        }
    }

    @Test
    void operatorMetricsTableMatchesCode() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMetrics operator = new ServerMetrics(registry);
        operator.countKubernetesRequest("GET", 200);
        operator.registerPendingEvents(() -> 0, () -> 0);
        assertThat(readTable("metrics.md", "only on a cluster"))
                .isEqualTo(parseMetrics(registry.scrape()).stream()
                        .filter(metric -> metric.get(0).startsWith("`escapement_kubernetes_"))
                        .toList());
    }

    @Test
    void eventsTableMatchesCode() {
        List<List<String>> expected = EventMapper.typesByReason().entrySet().stream()
                .map(reason -> List.of("`" + reason.getKey() + "`", reason.getValue()))
                .toList();
        assertThat(readTable("install-kubernetes.md", "event"))
                .extracting(row -> row.subList(0, 2))
                .isEqualTo(expected);
    }

    /** Returns name, labels and help of each metric. */
    private static List<List<String>> parseMetrics(String scraped) {
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
    void listsEveryDecisionAndHasNoBrokenLinks() throws IOException {
        try (Stream<Path> pages = Files.walk(DOCS)) {
            for (Path page :
                    pages.filter(path -> path.toString().endsWith(".md")).toList()) {
                for (String link : findLinks(Files.readString(page))) {
                    assertThat(page.resolveSibling(link))
                            .describedAs("link in %s", page)
                            .exists();
                }
            }
        }
        for (String link : findLinks(Files.readString(Path.of("..", "README.md")))) {
            assertThat(Path.of("..", link)).exists();
        }
        try (Stream<Path> decisions = Files.list(DOCS.resolve("decisions"))) {
            assertThat(decisions.map(path -> path.getFileName().toString()).filter(name -> name.matches("\\d{4}-.*")))
                    .allSatisfy(name -> assertThat(read("decisions/README.md")).contains(name));
        }
    }

    private static List<String> findLinks(String markdown) {
        return Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)")
                .matcher(markdown)
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    /** Returns the rows of the table whose first column has this title. */
    private static List<List<String>> readTable(String document, String firstColumn) {
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

    private static String formatDuration(Duration duration) {
        return DurationText.format(duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
