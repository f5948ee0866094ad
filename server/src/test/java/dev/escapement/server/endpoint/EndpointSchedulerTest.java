package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.document.EndpointRequestParser;
import dev.escapement.storage.Database;
import dev.escapement.testkit.ConditionPoller;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointSchedulerTest {

    @Test
    void dnsLookupLimitEqualsCallConcurrency(@TempDir Path folder) {
        Settings settings = SettingsReader.read(
                new SettingsSources(Map.of("endpoints.concurrency", "37"), Map.of(), folder, folder));
        assertThat(settings.get(SettingsTable.ENDPOINT_CONCURRENCY)).isEqualTo(37);
        assertThat(EndpointScheduler.dispatchLimits(settings).maxDnsLookups()).isEqualTo(37);
    }

    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofDays(1);

    private static EndpointScheduler start(
            Settings settings, Database database, PeriodicTasks maintenance, Duration clockCheckInterval) {
        return EndpointScheduler.start(
                settings,
                database,
                "server-1",
                (endpoint, policy, name) -> {
                    throw new AssertionError("no endpoint has a remediation");
                },
                maintenance,
                new SimpleMeterRegistry(),
                InstantSource.system(),
                clockCheckInterval);
    }

    private static Settings settings(Path folder, Map<String, String> flags) {
        return SettingsReader.read(new SettingsSources(flags, Map.of(), folder, folder));
    }

    @Test
    void plansWithRestOfSettings(@TempDir Path folder) {
        for (String rest : List.of("1s", "7s")) {
            Settings settings = settings(folder, Map.of("endpoints.min-rest", rest));
            try (Database database = Database.openSqlite(folder.resolve("test.db"));
                    PeriodicTasks maintenance = new PeriodicTasks("maintenance");
                    EndpointScheduler scheduler = start(settings, database, maintenance, NEVER)) {
                assertThat(scheduler.endpoints().planner().runPlanner().minRest())
                        .isEqualTo(settings.get(SettingsTable.ENDPOINT_MIN_REST))
                        .isEqualTo(DurationText.parse(rest));
            }
        }
    }

    /** The plan was made while the clock was ten years ahead. */
    @Test
    void replansEndpointAfterClockWasSetBack(@TempDir Path folder) {
        Settings settings = settings(folder, Map.of());
        try (Database database = Database.openSqlite(folder.resolve("test.db"));
                PeriodicTasks maintenance = new PeriodicTasks("maintenance")) {
            Instant planned;
            try (EndpointScheduler scheduler = start(settings, database, maintenance, NEVER)) {
                planned = nextRun(scheduler.endpoints().create(yearlyEndpoint()));
            }
            long tenYears = Duration.ofDays(3_650).toNanos() / 1_000;
            database.backend()
                    .write(
                            () -> "move the plan",
                            session -> Optional.of(
                                    session.update("UPDATE endpoints SET next_at = next_at + ?", tenYears)));
            try (EndpointScheduler scheduler = start(settings, database, maintenance, OFTEN)) {
                ConditionPoller.await(
                        "the endpoint is planned again",
                        () -> nextRun(scheduler
                                        .endpoints()
                                        .store()
                                        .findByName("yearly")
                                        .orElseThrow())
                                .equals(planned));
            }
        }
    }

    private static DesiredEndpoint yearlyEndpoint() {
        return EndpointRequestParser.parse(
                Map.of("name", "yearly", "url", "https://example.org/", "cron", "0 0 1 1 *"),
                Optional.empty(),
                Optional.empty());
    }

    private static Instant nextRun(StoredEndpoint stored) {
        return stored.endpoint().nextRun().at().orElseThrow();
    }
}
