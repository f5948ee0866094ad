package dev.escapement.cli.client;

import static dev.escapement.cli.SimulatedServer.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.cli.SimulatedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that stop responding without closing the connection. */
class UnresponsiveServerTest {

    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(200);

    /** Long enough for a busy machine to deliver the first event. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(8);

    private final SimulatedServer server = new SimulatedServer();

    UnresponsiveServerTest() throws IOException {}

    private ApiClient createClient(Duration timeout) {
        return new ApiClient(ServerAddress.parse(server.url(), "the test"), Optional.empty(), timeout);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void reopensIdleEventFeedAtLastPosition() {
        server.respondTo(
                "GET /api/v1/events",
                server.streamThenHang("id: 1\nevent: A\ndata: {}\n\nid: 2\nevent: half"),
                stream("id: 2\nevent: B\ndata: {}\n\n"));
        List<String> seen = new ArrayList<>();
        new EventFeed(createClient(Duration.ofSeconds(60)), time -> {}, IDLE_TIMEOUT)
                .follow(
                        () -> false,
                        event -> {
                            seen.add(event.id() + event.type());
                            return event.type().equals("B");
                        },
                        () -> {});
        assertThat(seen).containsExactly("1A", "2B");
        assertThat(server.requests()).containsExactly("GET /api/v1/events", "GET /api/v1/events?after=1");
    }

    @Test
    void timesOutOnMissingOrUnfinishedResponse() {
        ApiPath executions = ApiPath.of("executions");
        server.respondTo("GET /api/v1/executions", server.hang(), server.streamThenHang("{\"items\":"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> createClient(SHORT_TIMEOUT).get(executions))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(ApiException.Kind.UNREACHABLE))
                    .hasMessageContaining("did not respond within 200ms");
        }
    }
}
