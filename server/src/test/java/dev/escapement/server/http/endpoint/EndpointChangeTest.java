package dev.escapement.server.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.escapement.common.Json;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Changes, archives, imports and lists endpoints through a real server with real calls. */
class EndpointChangeTest extends EndpointTestBase {

    EndpointChangeTest(@TempDir Path folder) throws IOException {
        super(folder);
    }

    @Test
    void hidesSecretsAndKeepsThemWhenSentBackHidden() {
        server.createEndpoint(
                "secret",
                Map.of(
                        "url",
                        sink.url("/secret"),
                        "interval",
                        "1h",
                        "headers",
                        Map.of("Authorization", "Bearer s3cr3t", "X-Plain", "unknown", "Accept", "text/plain"),
                        "signingKey",
                        SIGNING_KEY));
        ServerResponse shown = server.get("/api/v1/endpoints/secret");
        assertThat(shown.raw().body()).doesNotContain("s3cr3t").doesNotContain("MfKQ9r8");
        assertThat(shown.text("/headers/Authorization")).isEqualTo("(hidden)");
        assertThat(shown.text("/headers/X-Plain")).isEqualTo("(hidden)");
        assertThat(shown.text("/headers/Accept")).isEqualTo("text/plain");
        ServerResponse same = server.put("/api/v1/endpoints/secret", shown.raw().body());
        assertThat(same.status()).describedAs(same.raw().body()).isEqualTo(200);
        ServerResponse patched =
                server.patch("/api/v1/endpoints/secret", "{\"headers\":{\"X-Plain\":null,\"X-New\":\"1\"}}");
        assertThat(patched.status()).describedAs(patched.raw().body()).isEqualTo(200);
        postAccepted("secret/run", "{}");
        StubHttpServer.RecordedRequest call = sink.await("/secret", 1).get(0);
        assertThat(call.header("Authorization")).contains("Bearer s3cr3t");
        assertThat(call.header("webhook-signature")).isPresent();
        assertThat(call.header("X-Plain")).isEmpty();
        assertThat(call.header("X-New")).contains("1");
        assertThat(server.get("/api/v1/runs?endpoint=secret").raw().body()).doesNotContain("s3cr3t");
    }

    @Test
    void sendsStoredSecretsToNoOtherHost() throws IOException {
        server.createEndpoint(
                "moved",
                Map.of(
                        "url",
                        sink.url("/moved"),
                        "interval",
                        "1h",
                        "headers",
                        Map.of("Authorization", "Bearer s3cr3t", "X-Api-Key", "k3y", "Accept", "text/plain"),
                        "signingKey",
                        SIGNING_KEY));
        try (StubHttpServer other = new StubHttpServer()) {
            String elsewhere = "{\"url\":\"" + other.url("/moved") + "\"}";
            ServerResponse refused = server.patch("/api/v1/endpoints/moved", elsewhere);
            assertThat(refused.status()).describedAs(refused.raw().body()).isEqualTo(400);
            String rule =
                    " is (hidden): the stored value is for " + sink.url("").replaceFirst("/$", "")
                            + " and is not sent to another scheme, host or port; give it again, or remove it";
            assertThat(refused.raw().body())
                    .contains("headers.Authorization" + rule, "headers.X-Api-Key" + rule, "signingKey" + rule)
                    .doesNotContain("s3cr3t", "k3y", "headers.Accept");
            ServerResponse shown = server.get("/api/v1/endpoints/moved");
            String hiddenElsewhere = shown.raw().body().replace(sink.url("/moved"), other.url("/moved"));
            assertThat(server.put("/api/v1/endpoints/moved", hiddenElsewhere).status())
                    .isEqualTo(400);
            ServerResponse imported = server.post("/api/v1/endpoints/import", hiddenElsewhere);
            assertThat(imported.status()).isEqualTo(400);
            assertThat(imported.raw().body()).contains("items[0] (moved): headers.Authorization" + rule);
            ServerResponse samePort =
                    server.patch("/api/v1/endpoints/moved", "{\"url\":\"" + sink.url("/path") + "\"}");
            assertThat(samePort.status()).describedAs(samePort.raw().body()).isEqualTo(200);

            String known = "{\"url\":\"" + other.url("/moved")
                    + "\",\"signingKey\":null,\"headers\":{\"Authorization\":\"Bearer n3w\",\"X-Api-Key\":null}}";
            ServerResponse changed = server.patch("/api/v1/endpoints/moved", known);
            assertThat(changed.status()).describedAs(changed.raw().body()).isEqualTo(200);
            postAccepted("moved/run", "{}");
            StubHttpServer.RecordedRequest call = other.await("/moved", 1).get(0);
            assertThat(call.header("Authorization")).contains("Bearer n3w");
            assertThat(call.header("Accept")).contains("text/plain");
            assertThat(call.header("X-Api-Key")).isEmpty();
            assertThat(call.header("webhook-signature")).isEmpty();
        }
    }

    @Test
    void patchChangesOnlyGivenFields() {
        server.createEndpoint(
                "partly",
                Map.of("url", sink.url("/partly"), "interval", "1h", "description", "mine", "maxInterval", "2h"));
        postAccepted("partly/pause", "{}");
        ServerResponse cron = server.patch(
                "/api/v1/endpoints/partly",
                "{\"cron\":\"0 3 * * *\",\"timeZone\":\"Europe/Berlin\",\"maxInterval\":null}");
        assertThat(cron.status()).describedAs(cron.raw().body()).isEqualTo(200);
        assertThat(cron.body().has("interval")).isFalse();
        assertThat(cron.body().has("maxInterval")).isFalse();
        assertThat(cron.text("/description")).isEqualTo("mine");
        assertThat(cron.text("/status/state")).isEqualTo("PAUSED");
        ServerResponse back = server.patch("/api/v1/endpoints/partly", "{\"interval\":\"2h\",\"pausedUntil\":null}");
        assertThat(back.body().has("timeZone")).isFalse();
        assertThat(back.text("/status/nextRun/source")).isEqualTo("BASELINE_INTERVAL");
        ServerResponse renamed = server.patch("/api/v1/endpoints/partly", "{\"name\":\"wholly\"}");
        assertThat(renamed.text("/id")).isEqualTo(cron.text("/id"));
        assertThat(server.get("/api/v1/endpoints/partly").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/endpoints/wholly").status()).isEqualTo(200);
    }

    @Test
    void archivedEndpointNeverRunsKeepsHistoryAndFreesItsName() {
        ServerResponse first = server.createEndpoint("gone", Map.of("url", sink.url("/gone"), "interval", "1h"));
        postAccepted("gone/run", "{}");
        server.awaitEndpoint("gone", "ran", seen -> seen.text("/status/state").equals("HEALTHY"));
        ServerResponse archived = server.delete("/api/v1/endpoints/gone");
        assertThat(archived.status()).isEqualTo(200);
        assertThat(archived.text("/status/state")).isEqualTo("HEALTHY");
        assertThat(server.get("/api/v1/endpoints/gone").status()).isEqualTo(404);
        String id = first.text("/id");
        assertThat(server.get("/api/v1/endpoints/" + id).text("/status/state")).isEqualTo("ARCHIVED");
        assertThat(server.get("/api/v1/endpoints/" + id + "/runs").body().path("items"))
                .hasSize(1);
        assertThat(textsAt(server.get("/api/v1/endpoints?state=archived"), "/id"))
                .contains(id);
        ServerResponse second = server.createEndpoint("gone", Map.of("url", sink.url("/gone"), "interval", "1h"));
        assertThat(second.text("/id")).isNotEqualTo(id);
        // Archiving by the id of the old endpoint does not affect the new one with the same name.
        ServerResponse refused = server.post("/api/v1/endpoints/" + id + "/pause", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message()).contains("archived");
        assertThat(server.get("/api/v1/endpoints/gone").text("/status/state")).isEqualTo("NEW");
    }

    @Test
    void archivesUnreadableEndpointByName() throws SQLException {
        String path = "/api/v1/endpoints/damaged";
        String id = server.createEndpoint("damaged", Map.of("url", sink.url("/damaged"), "interval", "1h"))
                .text("/id");
        corruptEndpoint("damaged", "document", "{");
        assertThat(server.get(path).status()).isEqualTo(500);
        assertThat(server.delete("/api/v1/endpoints/" + id).status())
                .describedAs("by id")
                .isEqualTo(500);

        ServerResponse archived = server.delete(path);

        assertThat(archived.status()).describedAs(archived.raw().body()).isEqualTo(200);
        assertThat(archived.text("/id")).isEqualTo(id);
        assertThat(archived.text("/name")).isEqualTo("damaged");
        assertThat(server.get(path).status()).isEqualTo(404);
        assertThat(server.delete(path).status()).isEqualTo(404);
        assertThat(server.createEndpoint("damaged", Map.of("url", sink.url("/damaged"), "interval", "1h"))
                        .text("/id"))
                .isNotEqualTo(id);
    }

    @Test
    void showsEndpointWithoutPlanOfUnknownForm() throws SQLException {
        // Paused, so that no run replaces the plan.
        server.createEndpoint(
                "newer", Map.of("url", sink.url("/newer"), "interval", "1h", "pausedUntil", "2999-01-01T00:00:00Z"));
        corruptEndpoint("newer", "plan", "{\"rejected\":\"many\"}");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        Logger logger = (Logger) LoggerFactory.getLogger(EndpointStatusMapper.class);
        logger.addAppender(appender);
        try {
            for (int i = 0; i < 2; i++) {
                ServerResponse list = server.get("/api/v1/endpoints");
                assertThat(list.status()).describedAs(list.raw().body()).isEqualTo(200);
                assertThat(textsAt(list, "/name")).contains("newer");
            }
            ServerResponse shown = server.get("/api/v1/endpoints/newer");
            assertThat(shown.body().at("/status/state").asText()).isNotEmpty();
            assertThat(shown.body().at("/status/plan").isMissingNode()).isTrue();
            assertThat(server.get("/api/v1/endpoints/newer/explain").status()).isEqualTo(200);
        } finally {
            logger.detachAppender(appender);
        }
        assertThat(appender.list)
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).startsWith("The stored plan of endpoint "));
    }

    /** Damages a column of a stored endpoint, as a disk error would, or another version that writes another form. */
    private void corruptEndpoint(String name, String column, String text) throws SQLException {
        Path file = server.folder().resolve("data").resolve("escapement.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement damage = connection.prepareStatement(
                        "UPDATE endpoints SET " + column + " = ?, revision = revision + 1 WHERE name = ?")) {
            damage.setString(1, text);
            damage.setString(2, name);
            assertThat(damage.executeUpdate()).isOne();
        }
    }

    @Test
    void importsAllOrNone() {
        server.createEndpoint("there", Map.of("url", sink.url("/there"), "interval", "1h"));
        postAccepted("there/pause", "{}");
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
        ServerResponse checked = server.post("/api/v1/endpoints/import?dry-run=true", yaml, "application/yaml");
        assertThat(checked.text("/created/0")).describedAs(checked.raw().body()).isEqualTo("fresh");
        assertThat(server.get("/api/v1/endpoints/fresh").status()).isEqualTo(404);

        ServerResponse bad = server.post(
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
                .contains("items[2] (never): name is used twice");
        assertThat(bad.body().at("/error/problems")).hasSize(3);
        assertThat(server.get("/api/v1/endpoints/never").status()).isEqualTo(404);

        ServerResponse brought = server.post("/api/v1/endpoints/import", yaml, "application/yaml");
        assertThat(brought.status()).describedAs(brought.raw().body()).isEqualTo(200);
        assertThat(brought.raw().body())
                .isEqualTo("{\"created\":[\"fresh\"],\"changed\":[\"there\"],\"unchanged\":[]}");
        assertThat(server.post("/api/v1/endpoints/import", yaml, "application/yaml")
                        .raw()
                        .body())
                .isEqualTo("{\"created\":[],\"changed\":[],\"unchanged\":[\"fresh\",\"there\"]}");
        ServerResponse there = server.get("/api/v1/endpoints/there");
        assertThat(there.text("/interval")).isEqualTo("2h");
        assertThat(there.text("/status/state")).isEqualTo("PAUSED");
    }

    @Test
    void listsInPages() {
        for (int i = 0; i < 5; i++) {
            server.createEndpoint("part-" + i, Map.of("url", sink.url("/part"), "interval", "1h"));
        }
        List<String> names = new ArrayList<>();
        String token = "";
        do {
            ServerResponse part = server.get("/api/v1/endpoints?limit=2&continue=" + token);
            assertThat(part.status()).isEqualTo(200);
            names.addAll(textsAt(part, "/name"));
            token = part.text("/metadata/continue");
        } while (!token.isEmpty());
        assertThat(names)
                .contains("part-0", "part-1", "part-2", "part-3", "part-4")
                .doesNotHaveDuplicates();
    }
}
