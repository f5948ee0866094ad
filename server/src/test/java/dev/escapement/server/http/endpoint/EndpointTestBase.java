package dev.escapement.server.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** A real server and a stub that its endpoints call on loopback, shared by all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndpointTestBase {

    static final String SIGNING_KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    final StubHttpServer sink;
    final TestServer server;

    EndpointTestBase(Path folder) throws IOException {
        sink = new StubHttpServer();
        server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"));
    }

    @AfterAll
    void stop() {
        server.close();
        sink.close();
    }

    ServerResponse postAccepted(String path, String body) {
        ServerResponse answer = server.post("/api/v1/endpoints/" + path, body);
        assertThat(answer.status()).describedAs(answer.raw().body()).isBetween(200, 202);
        return answer;
    }

    /** Requests a run; waits if the last one was requested a moment ago. */
    void runEndpoint(String name) {
        ConditionPoller.await(
                "a run of " + name + " may be requested",
                () -> server.post("/api/v1/endpoints/" + name + "/run", "{}").status() == 202);
    }

    static List<String> textsAt(ServerResponse list, String pointer) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list.body().path("items")) {
            texts.add(item.at(pointer).asText());
        }
        return texts;
    }
}
