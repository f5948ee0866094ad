package dev.escapement.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which documents of endpoints are refused, and with which words. */
class EndpointRequestParserTest {

    private static final String SIGNING_KEY = "whsec_" + "A".repeat(32);

    private static DesiredEndpoint read(String field, Object value, Optional<EndpointDefinition> before) {
        Map<String, Object> document =
                new TreeMap<>(Map.of("name", "shop", "url", "https://shop.example/", "interval", "1m"));
        document.put(field, value);
        return EndpointRequestParser.parse(document, before, Optional.of(AllowList.parse("")));
    }

    private static DesiredEndpoint read(String field, Object value) {
        return read(field, value, Optional.empty());
    }

    private static RemediationPolicy readRemediation(Map<String, Object> given) {
        return read("remediation", given).definition().remediation().orElseThrow();
    }

    /** Only the first hundred violations of the schema are listed; what is not listed must not fail later. */
    @Test
    void refusesInvalidTimeAfterManyOtherProblems() {
        Map<String, Object> headers = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            headers.put("X-" + i, i);
        }
        Map<String, Object> document = new TreeMap<>(
                Map.of("name", "shop", "url", "https://shop.example/", "interval", "1m", "headers", headers));
        document.put("pausedUntil", "soon");
        assertThatThrownBy(
                        () -> EndpointRequestParser.parse(document, Optional.empty(), Optional.of(AllowList.parse(""))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesEmptyInterval() {
        assertThatThrownBy(() -> read("interval", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interval is \"\": must not be empty");
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
                .hasMessageContaining("remediation.image is not a field")
                .hasMessageContaining("containerImage");
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
        assertThatThrownBy(() -> read("signingKey", Endpoint.HIDDEN))
                .hasMessageContaining("signingKey is (hidden): there is no key yet");
        DesiredEndpoint keyed = read("signingKey", SIGNING_KEY);
        assertThat(read("signingKey", Endpoint.HIDDEN, Optional.of(keyed.definition()))
                        .definition()
                        .call()
                        .signingKey())
                .isEqualTo(keyed.definition().call().signingKey());
    }

    @Test
    void refusesHeaderGivenTwiceInDifferentCase() {
        assertThatThrownBy(() -> read("headers", Map.of("X-Team", "a", "x-team", "b")))
                .hasMessageContaining("headers.x-team is given twice");
    }

    @Test
    void reportsProblemOnOneLineWhateverTheValue() {
        assertThatThrownBy(() -> read("interval", "\n5m\n6m7\n"))
                .message()
                .hasLineCount(1)
                .startsWith("interval is \"")
                .contains("5m 6m7");
    }

    @Test
    void refusesHostWithUnderscore() {
        assertThatThrownBy(() -> read("url", "https://my_shop.example/"))
                .hasMessageContaining("url is refused")
                .hasMessageContaining("underscore");
    }

    @Test
    void reportsViolationsOfSchemaAndOtherProblemsTogether() {
        assertThatThrownBy(() -> read("headers", Map.of("A.B", Map.of("c", 1), "Host", "x", "X", 3, "Y", "a\nb")))
                .hasMessageContaining("headers.A.B is (hidden): must be a string")
                .hasMessageContaining("headers.X is (hidden): must be a string; write it in quotes")
                .hasMessageContaining("headers.Host is refused: host belongs to the connection")
                .hasMessageContaining("headers.Y is refused: Y has a line break");
        assertThatThrownBy(() -> read("headers", Map.of("x".repeat(300), Map.of())))
                .hasMessageContaining("is (hidden): must be a string");
        assertThatThrownBy(() -> read("remediation", Map.of("after", "often", "target", "node/A_")))
                .hasMessageContaining("remediation.after is \"often\": must be a whole number")
                .hasMessageContaining("remediation.workflow is missing: the id of the workflow")
                .hasMessageContaining("remediation.target is \"node/A_\": its name is not a Kubernetes name");
    }

    @Test
    void sendsBodyThatIsNotTextAsJson() {
        Map<String, Object> document = new TreeMap<>(
                Map.of("name", "shop", "url", "https://shop.example/", "interval", "1m", "method", "post"));
        document.put("body", Map.of("day", 1));
        assertThat(EndpointRequestParser.parse(document, Optional.empty(), Optional.empty())
                        .definition()
                        .call()
                        .body())
                .isEqualTo("{\"day\":1}");
        document.put("body", Map.of("day", "x".repeat(300_000)));
        assertThatThrownBy(() -> EndpointRequestParser.parse(document, Optional.empty(), Optional.empty()))
                .hasMessage("body has 300010 characters: must have at most 262144");
    }

    @Test
    void clientLeavesUrlHeadersAndHiddenValuesToServer() {
        Map<String, Object> document = Map.of(
                "name", "shop",
                "url", "http://10.0.0.1/",
                "interval", "1m",
                "headers", Map.of("Host", "x", "Authorization", Endpoint.HIDDEN),
                "signingKey", Endpoint.HIDDEN);
        assertThat(EndpointRequestParser.parse(document, Optional.empty(), Optional.empty())
                        .definition()
                        .name())
                .isEqualTo("shop");
    }

    @Test
    void ignoresFieldsThatTheServerAdds() {
        Map<String, Object> status = Map.of("state", 5);
        assertThat(read("status", status)).isEqualTo(read("revision", "any"));
        assertThatThrownBy(() -> read("archived", true)).hasMessageContaining("archived is not a field");
    }
}
