package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.Sink;
import dev.escapement.server.TestServer;
import dev.escapement.server.TestServer.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** A real server with endpoints, and the other side of its calls on loopback, for all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CalledServer {

    static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    final Sink sink;
    final TestServer server;

    CalledServer(Path folder) throws IOException {
        sink = new Sink();
        server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"));
    }

    @AfterAll
    void stop() {
        server.close();
        sink.close();
    }

    Answer asked(String path, String body) {
        Answer answer = server.post("/api/v1/endpoints/" + path, body);
        assertThat(answer.status()).describedAs(answer.raw().body()).isBetween(200, 202);
        return answer;
    }

    static List<String> texts(Answer list, String pointer) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list.body().path("items")) {
            texts.add(item.at(pointer).asText());
        }
        return texts;
    }
}
