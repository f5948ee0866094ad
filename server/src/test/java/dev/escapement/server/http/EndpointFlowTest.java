package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.Sink;
import dev.escapement.server.TestServer;
import dev.escapement.server.TestServer.Answer;
import dev.escapement.server.text.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The life of endpoints through a real server, with real calls on loopback. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointFlowTest {

    private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Sink sink;
    private final TestServer server;

    EndpointFlowTest(@TempDir Path folder) throws IOException {
        sink = new Sink();
        server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"));
    }

    @AfterAll
    void stop() {
        server.close();
        sink.close();
    }

    private Answer asked(String path, String body) {
        Answer answer = server.post("/api/v1/endpoints/" + path, body);
        assertThat(answer.status()).describedAs(answer.raw().body()).isBetween(200, 202);
        return answer;
    }

    private static List<String> texts(Answer list, String pointer) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list.body().path("items")) {
            texts.add(item.at(pointer).asText());
        }
        return texts;
    }

    @Test
    void itIsCalledAgainAndAgainAndEveryRunSaysWhenAndWhy() {
        sink.reply("/beat", 200, "well \u00fc");
        Answer created = server.endpoint(
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
                        KEY,
                        "interval",
                        "100ms"));
        assertThat(created.raw().headers().firstValue("Location")).contains("/api/v1/endpoints/beat");
        assertThat(created.text("/status/state")).isEqualTo("NEW");
        Sink.Seen call = sink.await("/beat", 3).get(0);
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.body()).isEqualTo("{\"hello\":\"you\"}");
        assertThat(call.header("X-Team")).contains("blue");
        assertThat(call.header("webhook-signature")).isPresent();
        String id = created.text("/id");
        assertThat(call.header("Idempotency-Key")).contains(id + "-1");

        server.awaitEndpoint(
                "beat", "has run", seen -> seen.body().at("/status/runs").asInt() >= 3);
        Answer runs = server.get("/api/v1/endpoints/beat/runs?outcome=succeeded&limit=2");
        assertThat(runs.body().path("items")).hasSize(2);
        JsonNode run = runs.body().at("/items/0");
        assertThat(run.path("outcome").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("statusCode").asInt()).isEqualTo(200);
        assertThat(run.path("response").asText()).isEqualTo("well \u00fc");
        assertThat(run.at("/plan/explanation").asText()).contains("Runs next at");
        Answer more = server.get("/api/v1/runs?endpoint=beat&limit=2&continue=" + runs.text("/metadata/continue"));
        assertThat(texts(more, "/id")).doesNotContainAnyElementsOf(texts(runs, "/id"));
        Answer one = server.get("/api/v1/runs/" + id + "-1");
        assertThat(one.text("/endpoint")).isEqualTo("beat");
        assertThat(one.text("/worker")).isNotEmpty();
        assertThat(server.get("/api/v1/endpoints/" + id).text("/name")).isEqualTo("beat");
    }

    @Test
    void aFailingOneBacksOffIsForgivenAndRecovers() {
        sink.reply("/sick", 503, "not now");
        server.endpoint("sick", Map.of("url", sink.url("/sick"), "interval", "5m"));
        asked("sick/run", "{\"by\":\"ann\",\"reason\":\"to see\"}");
        Answer failing = server.awaitEndpoint(
                "sick", "fails", seen -> seen.text("/status/state").equals("FAILING"));
        assertThat(failing.body().at("/status/failures").asInt()).isEqualTo(1);
        assertThat(texts(server.get("/api/v1/endpoints?state=failing"), "/name"))
                .contains("sick");
        JsonNode run =
                server.get("/api/v1/runs?endpoint=sick&outcome=failed").body().at("/items/0");
        assertThat(run.path("failure").asText()).isEqualTo("STATUS");
        assertThat(run.path("statusCode").asInt()).isEqualTo(503);
        assertThat(run.path("source").asText()).isEqualTo("RUN_NOW");
        Answer explained = server.get("/api/v1/endpoints/sick/explain");
        assertThat(explained.text("/state")).isEqualTo("FAILING");
        assertThat(explained.text("/explanation")).startsWith("Runs next at");
        assertThat(Instant.parse(explained.text("/nextRun/at")))
                .isEqualTo(Instant.parse(explained.text("/plan/at")).truncatedTo(ChronoUnit.MICROS));

        Answer forgiven = asked("sick/reset-failures", "{}");
        assertThat(forgiven.body().at("/status/failures").asInt()).isZero();
        sink.reply("/sick", 200, "better");
        asked("sick/run", "");
        server.awaitEndpoint("sick", "works", seen -> seen.text("/status/state").equals("HEALTHY"));
    }

    @Test
    void wishesActAtOnceWhileACallHangs() {
        sink.hold("/hangs");
        server.endpoint("hangs", Map.of("url", sink.url("/hangs"), "interval", "1h", "timeout", "2m"));
        asked("hangs/run", "{}");
        sink.await("/hangs", 1);
        Answer running = server.awaitEndpoint(
                "hangs", "runs", seen -> seen.body().at("/status/running").isObject());
        assertThat(running.body().at("/status/nextRun").isMissingNode()).isTrue();
        assertThat(texts(server.get("/api/v1/endpoints?state=running"), "/name"))
                .contains("hangs");
        assertThat(server.get("/api/v1/endpoints/hangs/explain").text("/explanation"))
                .startsWith("It is being run now");

        // All of it while the call hangs; each is seen at once, and all of it counts when the call ends.
        Answer hinted =
                asked("hangs/hints", "{\"interval\":\"7m\",\"for\":\"2h\",\"by\":\"bot\",\"reason\":\"a test\"}");
        assertThat(hinted.text("/hints/0/interval")).isEqualTo("7m");
        assertThat(asked("hangs/pause", "{\"for\":\"2h\"}").text("/status/state"))
                .isEqualTo("PAUSED");
        assertThat(server.post("/api/v1/endpoints/hangs/run", "{}").status()).isEqualTo(409);
        asked("hangs/resume", "{}");
        sink.letGo("/hangs");
        Answer ended = server.awaitEndpoint(
                "hangs", "ended", seen -> seen.body().at("/status/nextRun").isObject());
        assertThat(ended.text("/status/nextRun/source")).isEqualTo("HINT_INTERVAL");
        assertThat(ended.text("/status/plan/by")).isEqualTo("bot");
        assertThat(server.get("/api/v1/endpoints/hangs/runs").text("/items/0/outcome"))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void hintsAndPausesAreTakenBack() {
        server.endpoint("steered", Map.of("url", sink.url("/steered"), "interval", "1h"));
        Answer soon = asked("steered/hints", "{\"in\":\"10m\",\"reason\":\"look again\"}");
        assertThat(soon.text("/status/nextRun/source")).isEqualTo("HINT_ONE_SHOT");
        assertThat(soon.text("/hints/0/by")).isEqualTo("anonymous");
        Instant expires = Instant.parse(soon.text("/hints/0/expiresAt"));
        assertThat(Duration.between(Instant.parse(soon.text("/hints/0/at")), expires))
                .isEqualTo(Duration.ofHours(1));
        Answer cleared = server.delete("/api/v1/endpoints/steered/hints");
        assertThat(cleared.status()).isEqualTo(200);
        assertThat(cleared.body().path("hints")).isEmpty();
        assertThat(cleared.text("/status/nextRun/source")).isEqualTo("BASELINE_INTERVAL");

        Answer once = asked("steered/hints", "{\"at\":\"2000-01-01T00:00:00Z\",\"reason\":\"at once\"}");
        assertThat(once.text("/status/state")).isEqualTo("NEW");
        sink.await("/steered", 1);

        Answer paused = asked("steered/pause", "{\"reason\":\"holiday\"}");
        assertThat(paused.text("/pausedUntil")).startsWith("9999");
        assertThat(texts(server.get("/api/v1/endpoints?state=paused"), "/name")).contains("steered");
        assertThat(asked("steered/resume", "{}").text("/status/state")).isNotEqualTo("PAUSED");
        String now = server.get("/api/v1/endpoints/steered/explain").text("/now");
        String until = Instant.parse(now).plus(Duration.ofHours(3)).toString();
        assertThat(asked("steered/pause", Json.write(Map.of("until", until))).text("/pausedUntil"))
                .isEqualTo(until);
    }

    @Test
    void secretsAreHiddenAndStayWhenWhatWasShownIsSentBack() {
        server.endpoint(
                "secret",
                Map.of(
                        "url",
                        sink.url("/secret"),
                        "interval",
                        "1h",
                        "headers",
                        Map.of("Authorization", "Bearer s3cr3t", "X-Plain", "seen"),
                        "signingKey",
                        KEY));
        Answer shown = server.get("/api/v1/endpoints/secret");
        assertThat(shown.raw().body()).doesNotContain("s3cr3t").doesNotContain("MfKQ9r8");
        assertThat(shown.text("/headers/Authorization")).isEqualTo("(hidden)");
        assertThat(shown.text("/headers/X-Plain")).isEqualTo("seen");
        Answer same = server.put("/api/v1/endpoints/secret", shown.raw().body());
        assertThat(same.status()).describedAs(same.raw().body()).isEqualTo(200);
        Answer patched = server.patch("/api/v1/endpoints/secret", "{\"headers\":{\"X-Plain\":null,\"X-New\":\"1\"}}");
        assertThat(patched.status()).describedAs(patched.raw().body()).isEqualTo(200);
        asked("secret/run", "{}");
        Sink.Seen call = sink.await("/secret", 1).get(0);
        assertThat(call.header("Authorization")).contains("Bearer s3cr3t");
        assertThat(call.header("webhook-signature")).isPresent();
        assertThat(call.header("X-Plain")).isEmpty();
        assertThat(call.header("X-New")).contains("1");
        assertThat(server.get("/api/v1/runs?endpoint=secret").raw().body()).doesNotContain("s3cr3t");
    }

    @Test
    void aPartIsChangedAndTheRestStays() {
        server.endpoint(
                "partly",
                Map.of("url", sink.url("/partly"), "interval", "1h", "description", "mine", "maxInterval", "2h"));
        asked("partly/pause", "{}");
        Answer cron = server.patch(
                "/api/v1/endpoints/partly",
                "{\"cron\":\"0 3 * * *\",\"timeZone\":\"Europe/Berlin\",\"maxInterval\":null}");
        assertThat(cron.status()).describedAs(cron.raw().body()).isEqualTo(200);
        assertThat(cron.body().has("interval")).isFalse();
        assertThat(cron.body().has("maxInterval")).isFalse();
        assertThat(cron.text("/description")).isEqualTo("mine");
        assertThat(cron.text("/status/state")).isEqualTo("PAUSED");
        Answer back = server.patch("/api/v1/endpoints/partly", "{\"interval\":\"2h\",\"pausedUntil\":null}");
        assertThat(back.body().has("timeZone")).isFalse();
        assertThat(back.text("/status/nextRun/source")).isEqualTo("BASELINE_INTERVAL");
        Answer renamed = server.patch("/api/v1/endpoints/partly", "{\"name\":\"wholly\"}");
        assertThat(renamed.text("/id")).isEqualTo(cron.text("/id"));
        assertThat(server.get("/api/v1/endpoints/partly").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/endpoints/wholly").status()).isEqualTo(200);
    }

    @Test
    void anArchivedOneNeverRunsAgainItsNameIsFreeAndItsHistoryStays() {
        Answer first = server.endpoint("gone", Map.of("url", sink.url("/gone"), "interval", "1h"));
        asked("gone/run", "{}");
        server.awaitEndpoint("gone", "ran", seen -> seen.text("/status/state").equals("HEALTHY"));
        Answer archived = server.delete("/api/v1/endpoints/gone");
        assertThat(archived.status()).isEqualTo(200);
        assertThat(archived.text("/status/state")).isEqualTo("HEALTHY");
        assertThat(server.get("/api/v1/endpoints/gone").status()).isEqualTo(404);
        String id = first.text("/id");
        assertThat(server.get("/api/v1/endpoints/" + id).text("/status/state")).isEqualTo("ARCHIVED");
        assertThat(server.get("/api/v1/endpoints/" + id + "/runs").body().path("items"))
                .hasSize(1);
        assertThat(texts(server.get("/api/v1/endpoints?state=archived"), "/id")).contains(id);
        Answer second = server.endpoint("gone", Map.of("url", sink.url("/gone"), "interval", "1h"));
        assertThat(second.text("/id")).isNotEqualTo(id);
        // Asked under the id of the old one, the new one of the same name is left alone.
        Answer refused = server.post("/api/v1/endpoints/" + id + "/pause", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message()).contains("archived");
        assertThat(server.get("/api/v1/endpoints/gone").text("/status/state")).isEqualTo("NEW");
    }

    @Test
    void manyAreBroughtAllOrNone() {
        server.endpoint("there", Map.of("url", sink.url("/there"), "interval", "1h"));
        asked("there/pause", "{}");
        String yaml = """
                name: fresh
                url: %s
                cron: 0 3 * * *
                ---
                items:
                  - name: there
                    url: %s
                    interval: 2h
                ---
                """.formatted(sink.url("/fresh"), sink.url("/there"));
        Answer checked = server.post("/api/v1/endpoints/import?dry-run=true", yaml, "application/yaml");
        assertThat(checked.text("/created/0")).describedAs(checked.raw().body()).isEqualTo("fresh");
        assertThat(server.get("/api/v1/endpoints/fresh").status()).isEqualTo(404);

        Answer bad = server.post(
                "/api/v1/endpoints/import",
                Json.write(Map.of(
                        "items",
                        List.of(
                                Map.of("name", "never", "url", sink.url("/never"), "interval", "1h"),
                                Map.of("name", "broken", "url", "ttps://x.example", "cron", "nonsense"),
                                Map.of("name", "never", "url", sink.url("/never"), "interval", "1h")))));
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.message())
                .contains("items[1] (broken): url ")
                .contains("items[1] (broken): cron ")
                .contains("items[2] (never): name is there twice");
        assertThat(bad.body().at("/error/problems")).hasSize(3);
        assertThat(server.get("/api/v1/endpoints/never").status()).isEqualTo(404);

        Answer brought = server.post("/api/v1/endpoints/import", yaml, "application/yaml");
        assertThat(brought.status()).describedAs(brought.raw().body()).isEqualTo(200);
        assertThat(brought.raw().body()).isEqualTo("{\"created\":[\"fresh\"],\"changed\":[\"there\"]}");
        Answer there = server.get("/api/v1/endpoints/there");
        assertThat(there.text("/interval")).isEqualTo("2h");
        assertThat(there.text("/status/state")).isEqualTo("PAUSED");
    }

    @Test
    void listsComeInParts() {
        for (int i = 0; i < 5; i++) {
            server.endpoint("part-" + i, Map.of("url", sink.url("/part"), "interval", "1h"));
        }
        List<String> names = new ArrayList<>();
        String token = "";
        do {
            Answer part = server.get("/api/v1/endpoints?limit=2&continue=" + token);
            assertThat(part.status()).isEqualTo(200);
            names.addAll(texts(part, "/name"));
            token = part.text("/metadata/continue");
        } while (!token.isEmpty());
        assertThat(names)
                .contains("part-0", "part-1", "part-2", "part-3", "part-4")
                .doesNotHaveDuplicates();
    }

    @Test
    void whatWasCalledIsCounted() {
        sink.reply("/counted", 500, "");
        server.endpoint("counted", Map.of("url", sink.url("/counted"), "interval", "1h"));
        asked("counted/run", "{}");
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
