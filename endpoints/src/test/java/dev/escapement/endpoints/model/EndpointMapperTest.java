package dev.escapement.endpoints.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.common.Json;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the stored form of endpoints, and which values are hidden when they are shown. */
class EndpointMapperTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");

    private static EndpointDefinition endpoint(Map<String, String> headers, Optional<RemediationPolicy> remediation) {
        return new EndpointDefinition(
                "shop",
                "",
                new CallRequest(
                        "https://shop.example/", Method.GET, headers, "", Duration.ofSeconds(30), Optional.empty()),
                new FixedInterval(Duration.ofMinutes(1)),
                Optional.empty(),
                Optional.empty(),
                remediation);
    }

    @Test
    void readsStoredRemediationWithoutClusterOptions() {
        EndpointDefinition definition = endpoint(
                Map.of(),
                Optional.of(new RemediationPolicy(
                        3, "default", "restart", Target.parse("node/a"), Map.of(), ClusterRunOptions.NONE)));
        String stored = Json.write(EndpointMapper.toStored(definition, EndpointOverrides.NONE));
        assertThat(stored).doesNotContain("container", "engine", "serviceAccount");
        assertThat(EndpointMapper.readDefinition(Json.read(stored, Endpoint.class)))
                .isEqualTo(definition);
    }

    /** The field names are those of all earlier versions: existing databases have them. */
    @Test
    void storedFormIsStable() {
        String stored = """
            {"name":"shop","description":"d","url":"https://shop.example/","method":"POST",\
            "headers":{"Authorization":"secret"},"body":"{}","timeout":"10s","signingKey":"whsec_x",\
            "cron":"0 3 * * *","timeZone":"Europe/Berlin","minInterval":"10s","maxInterval":"10m",\
            "remediation":{"after":2,"workflow":"w","target":"node/a","namespace":"ops","parameters":{"A":"1"},\
            "containerImage":"img","containerDigest":"sha256:ab","engine":"job","serviceAccountName":"sa"},\
            "pausedUntil":"2026-11-15T12:01:00Z","pause":{"by":"ada","reason":"work"},\
            "hints":[{"interval":"2m","givenAt":"2026-11-15T12:00:00Z","expiresAt":"2026-11-15T13:00:00Z",\
            "by":"bo","reason":"r"},{"at":"2026-11-15T12:30:00Z","givenAt":"2026-11-15T12:00:00Z",\
            "expiresAt":"2026-11-15T13:00:00Z","by":"bo","reason":"once"}],\
            "runRequest":{"at":"2026-11-15T12:00:00Z","by":"bo","reason":""},"archived":false}\
            """;
        Endpoint document = Json.read(stored, Endpoint.class);
        assertThat(Json.write(EndpointMapper.toStored(
                        EndpointMapper.readDefinition(document), EndpointMapper.readOverrides(document))))
                .isEqualTo(stored);
    }

    private static Map<String, String> shownHeaders(String header) {
        EndpointDefinition definition = endpoint(Map.of(header, "v"), Optional.empty());
        RunHistory history = RunHistory.initial(NOW);
        PlannedRun planned = new EndpointPlanner(RunPlanner.withDefaultJitter())
                .plan("e1", definition, EndpointOverrides.NONE, history, NOW);
        ScheduledEndpoint endpoint = new ScheduledEndpoint(
                "e1", NOW, definition, EndpointOverrides.NONE, history, 1, planned, Optional.empty());
        StoredEndpoint stored = new StoredEndpoint(endpoint, 1, 1, 0, Optional.empty());
        return EndpointMapper.toDocument(stored, NOW, Optional.empty()).headers();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "api_key",
                "X_API_KEY",
                "X-ApiKey",
                "ACCESS_KEY",
                "my_key",
                "X-Session-Id",
                "X-JWT",
                "passphrase",
                "Passwd",
                "x-bearer",
                "X-Pass",
                "X-Otp",
                "X-Sig",
                "X-Hmac",
                "Key",
                "X-Team"
            })
    void hidesValuesOfSecretHeaders(String header) {
        assertThat(shownHeaders(header)).isEqualTo(Map.of(header, Endpoint.HIDDEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "Content-Type", "USER-AGENT"})
    void showsValuesOfHarmlessHeaders(String header) {
        assertThat(shownHeaders(header)).isEqualTo(Map.of(header, "v"));
    }
}
