package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventRoutesTest {

    private final TestServer server;
    private final Path folder;

    EventRoutesTest(@TempDir Path folder) {
        this.folder = folder;
        this.server = TestServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** The lines of one event. */
    private record ReceivedEvent(String id, String type, String data) {}

    /** Reads events until the last of these types has been published for the execution. */
    private final class EventStream implements AutoCloseable {
        private final InputStream body;
        private final BufferedReader lines;

        EventStream(String query, String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request = server.request("/api/v1/events" + query);
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            HttpResponse<InputStream> answer =
                    HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            body = answer.body();
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        List<ReceivedEvent> readUntil(String type, String name) throws IOException {
            List<ReceivedEvent> all = new ArrayList<>();
            Optional<ReceivedEvent> next = readNext();
            while (next.isPresent()) {
                all.add(next.get());
                if (next.get().type().equals(type) && next.get().data().contains("\"" + name + "\"")) {
                    return all;
                }
                next = readNext();
            }
            throw new AssertionError("the stream ended; events: " + all);
        }

        private Optional<ReceivedEvent> readNext() throws IOException {
            String id = "";
            String type = "";
            String data = "";
            String line = lines.readLine();
            while (line != null) {
                if (line.isEmpty() && !data.isEmpty()) {
                    return Optional.of(new ReceivedEvent(id, type, data));
                }
                id = line.startsWith("id: ") ? line.substring(4) : id;
                type = line.startsWith("event: ") ? line.substring(7) : type;
                data = line.startsWith("data: ") ? line.substring(6) : data;
                line = lines.readLine();
            }
            return Optional.empty();
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    @Test
    void streamsLiveEventsAndReplaysFromPosition() throws Exception {
        List<ReceivedEvent> live;
        try (EventStream listening = new EventStream("")) {
            server.createExecution("told", "greets", "node/told", Map.of());
            live = listening.readUntil("LockReleased", "told");
        }
        List<ReceivedEvent> ours = live.stream()
                .filter(event -> event.data().contains("\"told\""))
                .filter(event -> !event.type().equals("Progress"))
                .toList();
        assertThat(ours)
                .extracting(ReceivedEvent::type)
                .containsExactly("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(ours).allSatisfy(event -> assertThat(event.id()).isNotEmpty());
        assertThat(ours.get(0).data())
                .contains("\"type\":\"WorkflowAccepted\"")
                .contains("\"namespace\":\"default\"")
                .contains("\"workflow\":\"greets\"")
                .contains("\"target\":\"node/told\"");

        try (EventStream again = new EventStream("?after=" + ours.get(1).id())) {
            assertThat(again.readUntil("LockReleased", "told"))
                    .containsSubsequence(ours.get(2), ours.get(3))
                    .doesNotContain(ours.get(0), ours.get(1));
        }
        try (EventStream again =
                new EventStream("", "Last-Event-ID", ours.get(2).id())) {
            assertThat(again.readUntil("LockReleased", "told"))
                    .contains(ours.get(3))
                    .doesNotContain(ours.get(1), ours.get(2));
        }
        try (EventStream all = new EventStream("?after=")) {
            assertThat(all.readUntil("LockReleased", "told")).containsAll(ours);
        }
    }

    @Test
    void streamsRunProgress() throws Exception {
        Files.writeString(folder.resolve("workflows/steps.yaml"), """
                id: steps
                parameters: [{name: GATE, type: string}]
                tasks:
                  - {name: one, command: ["true"]}
                  - {name: two, command: [sh, -c, 'while [ ! -e "$GATE" ]; do sleep 0.1; done']}
                """);
        try (EventStream listening = new EventStream("")) {
            server.createExecution(
                    "stepwise",
                    "steps",
                    "node/steps",
                    Map.of("GATE", folder.resolve("steps").toString()));
            List<ReceivedEvent> told = listening.readUntil("Progress", "stepwise");
            assertThat(told.get(told.size() - 1).data())
                    .contains("\"completedTasks\":1")
                    .contains("\"totalTasks\":2");
            Files.createFile(folder.resolve("steps"));
            listening.readUntil("WorkflowCompleted", "stepwise");
        }
    }

    @Test
    void slowReaderDoesNotBlockOthers() throws Exception {
        try (Socket deaf =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            deaf.setReceiveBufferSize(1_024);
            deaf.getOutputStream()
                    .write("GET /api/v1/events?after= HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            deaf.getOutputStream().flush();
            try (EventStream listening = new EventStream("")) {
                for (int i = 0; i < 30; i++) {
                    server.createExecution("loud-" + i, "ok", "node/loud-" + i, Map.of());
                }
                assertThat(listening.readUntil("LockReleased", "loud-29")).isNotEmpty();
            }
        }
        ConditionPoller.await("those who left are no longer counted", () -> {
            // The closed connection is detected at the next write.
            server.post("/api/v1/executions", TestServer.executionJson("", "ok", "node/loud-29", Map.of()));
            return server.get("/metrics").raw().body().contains("escapement_event_clients 0.0");
        });
    }

    @Test
    void endsStreamCleanlyWhenServerStops(@TempDir Path other) throws Exception {
        TestServer stopping = TestServer.start(other);
        try (InputStream told = HttpClient.newHttpClient()
                .send(stopping.request("/api/v1/events?after=").build(), BodyHandlers.ofInputStream())
                .body()) {
            stopping.close();
            assertThat(new String(told.readAllBytes(), StandardCharsets.UTF_8)).matches("(:\n\n)+");
        }
    }
}
