package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsCommandTest extends ClientCommandTestBase {

    EventsCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void printsLastEventsAndThenFollows() {
        server.respondTo(
                "GET /api/v1/events",
                stream(sseEvent(1, "WorkflowAccepted", "one")
                        + sseEvent(2, "WorkflowSkipped", "one")
                        + sseEvent(3, "WorkflowAccepted", "two")),
                stream(sseEvent(4, "WorkflowCompleted", "two") + "event: Progress\ndata: {}\n\n"),
                error(401, "enough"));
        assertThat(cli.run("events", "-f", "--limit", "2")).isEqualTo(ExitCodes.UNAUTHORIZED);
        assertThat(cli.out().lines())
                .containsExactly(
                        "2026-11-15T11:00:02Z  WorkflowSkipped        one on node/n: R: m",
                        "2026-11-15T11:00:03Z  WorkflowAccepted       two on node/n: R: m",
                        "2026-11-15T11:00:04Z  WorkflowCompleted      two on node/n: R: m");
        assertThat(server.requests())
                .containsExactly(
                        "GET /api/v1/events?follow=false&after=",
                        "GET /api/v1/events?after=3",
                        "GET /api/v1/events?after=4");
        server.respondTo(
                "GET /api/v1/events",
                stream(sseEvent(1, "WorkflowAccepted", "one") + sseEvent(3, "WorkflowAccepted", "two")));
        cli.run("events", "--all", "--execution", "two", "--json");
        assertThat(cli.out().lines()).singleElement().asString().startsWith("{\"at\":\"2026-11-15T11:00:03Z\"");
    }

    @Test
    void failsOnMalformedOrTooLongEvent() {
        server.respondTo("GET /api/v1/events", stream("data: {no json\n\n"));
        assertThat(cli.run("events")).isEqualTo(ExitCodes.UNREACHABLE);
        server.respondTo("GET /api/v1/events", stream("data: " + "x".repeat(2 << 20)));
        assertThat(cli.run("events")).isEqualTo(ExitCodes.UNREACHABLE);
    }

    private static String sseEvent(int id, String type, String execution) {
        return """
                id: %d
                event: %s
                data: {"at":"2026-11-15T11:00:%02dZ","execution":{"name":"%s","namespace":"default"},"target":"node/n","reason":"R","message":"m"}

                """.formatted(id, type, id, execution);
    }
}
