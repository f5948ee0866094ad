package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.SampleDocuments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointSchemaTest {

    private static final SchemaValidator ENDPOINT = SchemaValidator.load("Endpoint", SampleDocuments::parseYaml);

    @ParameterizedTest
    @ValueSource(strings = {"health", "nightly", "remediated"})
    void acceptsExample(String example) {
        assertThat(SampleDocuments.yamlFile("examples/endpoints/" + example + ".yaml"))
                .allSatisfy(document -> assertThat(messages(document)).isEmpty());
    }

    @Test
    void acceptsWhatTheServerShows() {
        assertThat(messages(SampleDocuments.read("Endpoint"))).isEmpty();
        assertThat(ENDPOINT.validate(SampleDocuments.read("Endpoint-running"))).isEmpty();
        assertThat(ENDPOINT.validate(SampleDocuments.read("Endpoint"))).isEmpty();
    }

    @Test
    void reportsEveryProblemAtOnce() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", "-x");
        document.put("method", "fetch");
        document.put("headers", Map.of("Authorization", 12345));
        document.put("timeout", "soon");
        document.put("interval", "5m");
        document.put("cron", "0 3 * * *");
        document.put("timeZone", "UTC");
        document.put("pausedUntil", "tomorrow");
        document.put("archived", true);
        document.put("id", 5);
        document.put("remediation", Map.of("after", 0, "target", "nowhere"));
        assertThat(messages(document))
                .containsExactlyInAnyOrder(
                        "name is \"-x\": must match ^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$",
                        "url is missing: the URL to call, http or https, without user and fragment",
                        "method is \"fetch\": must be one of GET, POST, PUT, PATCH, DELETE",
                        "headers.Authorization is (hidden): must be a string; write it in quotes",
                        "timeout is \"soon\": must be a duration: write 30s, 5m, 1h30m, 250ms, or ISO-8601 such as PT5M",
                        "exactly one of interval and cron must be given, such as interval: 5m or cron: \"0 3 * * *\"",
                        "timeZone is invalid: it goes with cron; an interval needs none",
                        "pausedUntil is \"tomorrow\": must be a time such as 2026-11-15T12:00:00Z",
                        "archived is not a field (fields: name, description, url, method, headers, body, timeout,"
                                + " signingKey, interval, cron, timeZone, minInterval, maxInterval, remediation,"
                                + " pausedUntil)",
                        "remediation.after is 0: must be at least 1",
                        "remediation.workflow is missing: the id of the workflow to run",
                        "remediation.target is \"nowhere\": it has neither 2 nor 3 parts; write namespace/kind/name, or"
                                + " kind/name for what has no namespace");
    }

    @Test
    void refusesBodyOfGetRequest() {
        Map<String, Object> document = new LinkedHashMap<>(Map.of(
                "name", "x", "url", "https://example.com", "interval", "5m", "body", Map.of("day", "yesterday")));
        assertThat(messages(document))
                .containsExactly("body is invalid: a GET request has no body; use POST, PUT or PATCH, or leave the body"
                        + " out");
        document.put("method", "post");
        assertThat(messages(document)).isEmpty();
    }

    @Test
    void checksReadOnlyFieldsOnlyInWholeDocuments() {
        Map<String, Object> document = SampleDocuments.read("Endpoint");
        document.put("revision", 1.5);
        assertThat(messages(document)).isEmpty();
        assertThat(ENDPOINT.validate(document).stream().map(Violation::message))
                .containsExactly("revision is 1.5: must be a whole number");
    }

    /** A name with a line break would break continuation tokens and headers. */
    @ParameterizedTest
    @ValueSource(strings = {"health\n", "health\r\n", "health\u2028"})
    void refusesNameWithLineBreakAtItsEnd(String name) {
        Map<String, Object> document =
                new LinkedHashMap<>(Map.of("name", name, "url", "https://example.com", "interval", "5m"));
        assertThat(messages(document)).singleElement().asString().startsWith("name is ");
    }

    private static List<String> messages(Map<String, ?> document) {
        return ENDPOINT.validateRequest(document).stream()
                .map(Violation::message)
                .toList();
    }
}
