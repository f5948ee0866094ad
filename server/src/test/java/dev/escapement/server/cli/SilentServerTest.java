package dev.escapement.server.cli;

import static dev.escapement.server.cli.SimulatedServer.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.api.ServerAddress;
import dev.escapement.server.cli.api.ServerEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that die without a word are noticed: nobody waits for ever. */
class SilentServerTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    /** Longer than it takes a busy machine to hand over what was sent. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private final SimulatedServer server = new SimulatedServer();

    SilentServerTest() throws IOException {}

    private ApiClient client(Duration patience) {
        return new ApiClient(ServerAddress.parse(server.url(), "the test"), Optional.empty(), patience);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aFeedThatFallsSilentIsOpenedAgainWhereItWas() {
        server.on(
                "GET /api/v1/events",
                server.streamAndSilence("id: 1\nevent: A\ndata: {}\n\nid: 2\nevent: half"),
                stream("id: 2\nevent: B\ndata: {}\n\n"));
        List<String> seen = new ArrayList<>();
        new EventFeed(client(Duration.ofSeconds(60)), time -> {}, SILENCE).follow(new EventFeed.Watcher() {
            @Override
            public boolean event(ServerEvent event) {
                seen.add(event.id() + event.type());
                return event.type().equals("B");
            }
        });
        assertThat(seen).containsExactly("1A", "2B");
        assertThat(server.requests()).containsExactly("GET /api/v1/events", "GET /api/v1/events?after=1");
    }

    @Test
    void anAnswerThatDoesNotComeOrDoesNotEndIsGivenUp() {
        Resource executions = Resource.of("executions");
        server.on("GET /api/v1/executions", server.silence(), server.streamAndSilence("{\"items\":"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> client(SHORT).get(executions))
                    .isInstanceOfSatisfying(
                            ApiFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(ApiFailure.Kind.UNREACHABLE))
                    .hasMessageContaining("did not answer within 200ms");
        }
    }
}
