package dev.escapement.endpoints.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which documents are refused and which values are hidden. */
class EndpointDocumentReaderTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");

    private static final class UrlOnlyValidator implements EndpointValidator {
        @Override
        public void checkUrl(String url) {
            assertThat(EndpointUrl.parse(url).host()).isNotEmpty();
        }

        @Override
        public void checkHeader(String name, String value) {
            // Any.
        }

        @Override
        public void checkSigningKey(String key) {
            // Any.
        }
    }

    private static DesiredEndpoint read(String field, Object value, Optional<EndpointDefinition> before) {
        Map<String, Object> document =
                new TreeMap<>(Map.of("name", "shop", "url", "https://shop.example/", "interval", "1m"));
        document.put(field, value);
        return new EndpointDocumentReader(new UrlOnlyValidator()).read(document, before);
    }

    private static DesiredEndpoint read(String field, Object value) {
        return read(field, value, Optional.empty());
    }

    private static RemediationPolicy readRemediation(Map<String, Object> given) {
        return read("remediation", given).definition().remediation().orElseThrow();
    }

    @Test
    void refusesEmptyInterval() {
        assertThatThrownBy(() -> read("interval", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("interval is empty");
    }

    @Test
    void readsClusterOptionsOfRemediation() {
        Map<String, Object> plain = Map.of("workflow", "restart", "target", "node/a");
        assertThat(readRemediation(plain).clusterOptions()).isEqualTo(ClusterRunOptions.NONE);
        Map<String, Object> rich = new TreeMap<>(plain);
        rich.putAll(Map.of(
                "containerImage", "registry.example/restart:1",
                "containerDigest", "sha256:0",
                "engine", "job",
                "serviceAccountName", "restarter"));
        assertThat(readRemediation(rich).clusterOptions())
                .isEqualTo(new ClusterRunOptions("registry.example/restart:1", "sha256:0", "job", "restarter"));
        assertThatThrownBy(() -> read("remediation", Map.of("workflow", "w", "target", "node/a", "image", "i")))
                .hasMessageContaining("remediation.image is no field here")
                .hasMessageContaining("containerImage");
    }

    @Test
    void readsStoredRemediationWithoutClusterOptions() {
        DesiredEndpoint wanted = read("remediation", Map.of("workflow", "restart", "target", "node/a"));
        Map<String, Object> stored = StoredEndpointCodec.write(wanted.definition(), EndpointOverrides.NONE);
        assertThat(String.valueOf(stored.get("remediation"))).doesNotContain("container", "engine", "serviceAccount");
        assertThat(StoredEndpointCodec.readDefinition(stored)).isEqualTo(wanted.definition());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1969-12-31T23:59:59Z", "-1000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"})
    void refusesPauseEndOutsideStorableRange(String time) {
        assertThatThrownBy(() -> read("pausedUntil", time))
                .hasMessageContaining("pausedUntil is " + time)
                .hasMessageContaining("from 1970-01-01T00:00:00Z to 9999-12-31T00:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"})
    void acceptsPauseEndAtBothBounds(String time) {
        assertThat(read("pausedUntil", time).pausedUntil()).contains(Instant.parse(time));
    }

    @Test
    void hiddenSigningKeyKeepsExistingKeyOrIsRefused() {
        assertThatThrownBy(() -> read("signingKey", EndpointDocumentReader.HIDDEN))
                .hasMessageContaining("signingKey is (hidden): there is no key yet");
        DesiredEndpoint keyed = read("signingKey", "whsec_abc");
        assertThat(read("signingKey", EndpointDocumentReader.HIDDEN, Optional.of(keyed.definition()))
                        .definition()
                        .signingKey())
                .isEqualTo(keyed.definition().signingKey());
    }

    @Test
    void refusesHeaderGivenTwiceInDifferentCase() {
        assertThatThrownBy(() -> read("headers", Map.of("X-Team", "a", "x-team", "b")))
                .hasMessageContaining("headers.x-team is given twice");
    }

    @Test
    void refusesHostWithUnderscore() {
        assertThatThrownBy(() -> read("url", "https://my_shop.example/"))
                .hasMessageContaining("url is refused")
                .hasMessageContaining("underscore");
    }

    private static Object shownHeaders(String header) {
        EndpointDefinition definition = read("headers", Map.of(header, "v")).definition();
        RunHistory history = RunHistory.initial(NOW);
        PlannedRun planned = new EndpointPlanner(RunPlanner.withDefaultJitter())
                .plan("e1", definition, EndpointOverrides.NONE, history, NOW);
        ScheduledEndpoint endpoint = new ScheduledEndpoint(
                "e1", NOW, definition, EndpointOverrides.NONE, history, 1, planned, Optional.empty());
        return Objects.requireNonNull(
                EndpointDocumentWriter.write(new StoredEndpoint(endpoint, 1, 1, 0, Optional.empty()), NOW)
                        .get("headers"));
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
                "x-bearer"
            })
    void hidesValuesOfSecretHeaders(String header) {
        assertThat(shownHeaders(header)).isEqualTo(Map.of(header, EndpointDocumentReader.HIDDEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "X-Team", "Keyboard"})
    void showsValuesOfOtherHeaders(String header) {
        assertThat(shownHeaders(header)).isEqualTo(Map.of(header, "v"));
    }
}
