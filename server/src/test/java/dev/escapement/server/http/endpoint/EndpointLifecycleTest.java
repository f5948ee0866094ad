package dev.escapement.server.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lifecycle of endpoints on a real server, with real calls on loopback. */
class EndpointLifecycleTest extends EndpointTestBase {

    EndpointLifecycleTest(@TempDir Path folder) throws IOException {
        super(folder);
    }

    @Test
    void callsRepeatedlyAndRecordsEveryRunWithReason() {
        sink.setReply("/beat", 200, "well \u00fc");
        ServerResponse created = server.createEndpoint(
                "beat",
                Map.of(
                        "url",
                        sink.url("/beat"),
                        "method",
                        "post",
                        "body",
                        Map.of("hello", "you"),
                        "headers",
                        Map.of("X-Team", "blue"),
                        "signingKey",
                        SIGNING_KEY,
                        "interval",
                        "1s"));
        assertThat(created.raw().headers().firstValue("Location")).contains("/api/v1/endpoints/beat");
        assertThat(created.text("/status/state")).isEqualTo("NEW");
        StubHttpServer.RecordedRequest call = sink.await("/beat", 3).get(0);
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.body()).isEqualTo("{\"hello\":\"you\"}");
        assertThat(call.header("X-Team")).contains("blue");
        assertThat(call.header("webhook-signature")).isPresent();
        String id = created.text("/id");
        assertThat(call.header("Idempotency-Key")).contains(id + "-1");

        server.awaitEndpoint(
                "beat", "has run", seen -> seen.body().at("/status/runs").asInt() >= 3);
        ServerResponse runs = server.get("/api/v1/endpoints/beat/runs?outcome=succeeded&limit=2");
        assertThat(runs.body().path("items")).hasSize(2);
        JsonNode run = runs.body().at("/items/0");
        assertThat(run.path("outcome").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("statusCode").asInt()).isEqualTo(200);
        assertThat(run.path("response").asText()).isEqualTo("well \u00fc");
        assertThat(run.at("/plan/explanation").asText()).contains("Runs next at");
        ServerResponse more =
                server.get("/api/v1/runs?endpoint=beat&limit=2&continue=" + runs.text("/metadata/continue"));
        assertThat(textsAt(more, "/id")).doesNotContainAnyElementsOf(textsAt(runs, "/id"));
        ServerResponse one = server.get("/api/v1/runs/" + id + "-1");
        assertThat(one.text("/endpoint")).isEqualTo("beat");
        assertThat(one.text("/worker")).isNotEmpty();
        assertThat(server.get("/api/v1/endpoints/" + id).text("/name")).isEqualTo("beat");
    }

    /**
     * While the requested run has not started, another request changes nothing; after that it is refused for a second.
     */
    @Test
    void refusesRunRequestSoonAfterAnother() {
        sink.setReply("/often", 200, "");
        server.createEndpoint("often", Map.of("url", sink.url("/often"), "interval", "1h"));
        ServerResponse refused = ConditionPoller.await(
                "a request soon after another one is refused",
                () -> server.post("/api/v1/endpoints/often/run", "{}"),
                answer -> answer.status() != 202);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message()).contains("endpoint often was requested less than 1s ago");
    }

    @Test
    void backsOffOnFailureAndRecoversAfterReset() {
        sink.setReply("/sick", 503, "not now");
        server.createEndpoint("sick", Map.of("url", sink.url("/sick"), "interval", "5m"));
        postAccepted("sick/run", "{\"by\":\"ann\",\"reason\":\"to see\"}");
        ServerResponse failing = server.awaitEndpoint(
                "sick", "fails", seen -> seen.text("/status/state").equals("FAILING"));
        assertThat(failing.body().at("/status/failures").asInt()).isEqualTo(1);
        assertThat(textsAt(server.get("/api/v1/endpoints?state=failing"), "/name"))
                .contains("sick");
        JsonNode run =
                server.get("/api/v1/runs?endpoint=sick&outcome=failed").body().at("/items/0");
        assertThat(run.path("failure").asText()).isEqualTo("STATUS");
        assertThat(run.path("statusCode").asInt()).isEqualTo(503);
        assertThat(run.path("source").asText()).isEqualTo("RUN_NOW");
        ServerResponse explained = server.get("/api/v1/endpoints/sick/explain");
        assertThat(explained.text("/state")).isEqualTo("FAILING");
        assertThat(explained.text("/explanation")).startsWith("Runs next at");
        assertThat(Instant.parse(explained.text("/nextRun/at")))
                .isEqualTo(Instant.parse(explained.text("/plan/at")).truncatedTo(ChronoUnit.MICROS));

        ServerResponse forgiven = postAccepted("sick/reset-failures", "{}");
        assertThat(forgiven.body().at("/status/failures").asInt()).isZero();
        sink.setReply("/sick", 200, "better");
        runEndpoint("sick");
        server.awaitEndpoint("sick", "works", seen -> seen.text("/status/state").equals("HEALTHY"));
    }

    @Test
    void doesNotCallThisServerAlthoughLoopbackIsAllowed() {
        String own = server.address().resolve("/api/v1/endpoints/sick/run").toString();
        ServerResponse refused =
                server.post("/api/v1/endpoints", "{\"name\":\"loop\",\"interval\":\"1h\",\"url\":\"" + own + "\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.message()).contains("url is refused: 127.0.0.1 resolves to this server itself");

        // A name is checked at the call.
        String byName = own.replace("127.0.0.1", "localhost");
        server.createEndpoint("loop", Map.of("url", byName, "interval", "1h", "method", "POST"));
        postAccepted("loop/run", "{}");
        server.awaitEndpoint("loop", "fails", seen -> seen.text("/status/state").equals("FAILING"));
        JsonNode run = server.get("/api/v1/runs?endpoint=loop").body().at("/items/0");
        assertThat(run.path("failure").asText()).isEqualTo("ADDRESS_DENIED");
        assertThat(run.path("error").asText()).contains("this server itself");
    }

    @Test
    void appliesActionsWhileCallIsInFlight() {
        sink.hold("/hangs");
        server.createEndpoint("hangs", Map.of("url", sink.url("/hangs"), "interval", "1h", "timeout", "2m"));
        postAccepted("hangs/run", "{}");
        sink.await("/hangs", 1);
        ServerResponse running = server.awaitEndpoint(
                "hangs", "runs", seen -> seen.body().at("/status/running").isObject());
        assertThat(running.body().at("/status/nextRun").isMissingNode()).isTrue();
        assertThat(textsAt(server.get("/api/v1/endpoints?state=running"), "/name"))
                .contains("hangs");
        assertThat(server.get("/api/v1/endpoints/hangs/explain").text("/explanation"))
                .startsWith("It is running on ");

        // All actions during the call: each is visible at once, and all apply when the call ends.
        ServerResponse hinted = postAccepted(
                "hangs/hints", "{\"interval\":\"7m\",\"for\":\"2h\",\"by\":\"bot\",\"reason\":\"a test\"}");
        assertThat(hinted.text("/hints/0/interval")).isEqualTo("7m");
        assertThat(postAccepted("hangs/pause", "{\"for\":\"2h\"}").text("/status/state"))
                .isEqualTo("PAUSED");
        assertThat(server.post("/api/v1/endpoints/hangs/run", "{}").status()).isEqualTo(409);
        postAccepted("hangs/resume", "{}");
        sink.release("/hangs");
        ServerResponse ended = server.awaitEndpoint(
                "hangs", "ended", seen -> seen.body().at("/status/nextRun").isObject());
        assertThat(ended.text("/status/nextRun/source")).isEqualTo("HINT_INTERVAL");
        assertThat(ended.text("/status/plan/by")).isEqualTo("bot (unverified)");
        assertThat(server.get("/api/v1/endpoints/hangs/runs").text("/items/0/outcome"))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void clearsHintsAndResumesPauses() {
        server.createEndpoint("steered", Map.of("url", sink.url("/steered"), "interval", "1h"));
        ServerResponse soon = postAccepted("steered/hints", "{\"in\":\"10m\",\"reason\":\"look again\"}");
        assertThat(soon.text("/status/nextRun/source")).isEqualTo("HINT_ONE_SHOT");
        assertThat(soon.text("/hints/0/by")).isEqualTo("anonymous");
        Instant expires = Instant.parse(soon.text("/hints/0/expiresAt"));
        assertThat(Duration.between(Instant.parse(soon.text("/hints/0/at")), expires))
                .isEqualTo(Duration.ofHours(1));
        ServerResponse cleared = server.delete("/api/v1/endpoints/steered/hints");
        assertThat(cleared.status()).isEqualTo(200);
        assertThat(cleared.body().path("hints")).isEmpty();
        assertThat(cleared.text("/status/nextRun/source")).isEqualTo("BASELINE_INTERVAL");

        ServerResponse once = postAccepted("steered/hints", "{\"at\":\"2000-01-01T00:00:00Z\",\"reason\":\"at once\"}");
        assertThat(once.text("/status/state")).isEqualTo("NEW");
        sink.await("/steered", 1);

        ServerResponse paused = postAccepted("steered/pause", "{\"reason\":\"holiday\"}");
        assertThat(paused.text("/pausedUntil")).startsWith("9999");
        assertThat(paused.text("/status/pause/reason")).isEqualTo("holiday");
        assertThat(paused.text("/status/pause/by")).isEqualTo("anonymous");
        // Its call may be in progress; no run is planned after it.
        ConditionPoller.await(
                "the plan says why",
                () -> server.get("/api/v1/endpoints/steered")
                        .text("/status/plan/explanation")
                        .contains("by anonymous: holiday"));
        assertThat(textsAt(server.get("/api/v1/endpoints?state=paused"), "/name"))
                .contains("steered");
        assertThat(postAccepted("steered/resume", "{}").text("/status/state")).isNotEqualTo("PAUSED");
        String now = server.get("/api/v1/endpoints/steered/explain").text("/now");
        String until = Instant.parse(now).plus(Duration.ofHours(3)).toString();
        assertThat(postAccepted("steered/pause", Json.write(Map.of("until", until)))
                        .text("/pausedUntil"))
                .isEqualTo(until);
    }

    @Test
    void countsCallsInMetrics() {
        sink.setReply("/counted", 500, "");
        server.createEndpoint("counted", Map.of("url", sink.url("/counted"), "interval", "1h"));
        postAccepted("counted/run", "{}");
        server.awaitEndpoint(
                "counted", "failed", seen -> seen.text("/status/state").equals("FAILING"));
        String metrics = server.get("/metrics").raw().body();
        assertThat(metrics)
                .containsPattern("escapement_endpoint_runs_total\\{failure=\"STATUS\",outcome=\"Failed\"\\} [1-9]")
                .containsPattern("escapement_endpoint_lateness_seconds_count [1-9]")
                .containsPattern("escapement_endpoint_claimed_total [1-9]")
                .containsPattern("escapement_endpoints [1-9]");
        assertThat(server.get("/health/live").text("/checks/endpoints")).isEqualTo("ok");
    }
}
