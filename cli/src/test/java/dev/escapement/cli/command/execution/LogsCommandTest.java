package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.stream;
import static dev.escapement.cli.SimulatedServer.text;
import static dev.escapement.cli.SimulatedServer.truncated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsCommandTest extends ClientCommandTestBase {

    LogsCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void readsLogsInPartsAndRemovesControlSequences() {
        server.respondTo(
                "GET /api/v1/executions/one/logs",
                exchange -> {
                    exchange.getResponseHeaders().set("X-Escapement-Next", "12");
                    text(200, "text/plain", "a\u001b[31mred\u001b[0m\tb\r\n").sendTo(exchange);
                },
                exchange -> {
                    exchange.getResponseHeaders().set("X-Escapement-Next", "12");
                    text(200, "text/plain", "").sendTo(exchange);
                });
        assertThat(cli.run("logs", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualTo("ared\tb\n");
        assertThat(server.requests())
                .containsExactly(
                        "GET /api/v1/executions/one/logs?namespace=default&from=0&follow=false",
                        "GET /api/v1/executions/one/logs?namespace=default&from=12&follow=false");
        server.respondTo("GET /api/v1/executions/one/logs", text(200, "text/plain", "\u001b[31mé"));
        cli.run("logs", "one", "--raw");
        assertThat(cli.out()).isEqualTo("\u001b[31mé");
    }

    @Test
    void resumesAtOffsetAfterConnectionLoss() {
        server.respondTo("GET /api/v1/executions/one/logs", truncated("häl"), stream("lo\n"));
        assertThat(cli.run("logs", "-f", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualTo("hällo\n");
        assertThat(server.requests()).last().asString().contains("from=4&follow=true");
        server.respondTo("GET /api/v1/executions/one/logs", truncated("half"));
        assertThat(cli.run("logs", "one")).isEqualTo(ExitCodes.UNREACHABLE);
    }
}
