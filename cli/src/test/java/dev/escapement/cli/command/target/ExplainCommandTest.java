package dev.escapement.cli.command.target;

import static dev.escapement.cli.SimulatedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest extends ClientCommandTestBase {

    ExplainCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void printsEveryCheckAndReturnsDecisionAsExitCode() {
        server.respondTo("GET /api/v1/targets/explain", json(200, """
                        {"admitted":false,"reason":"RecentlyRemediated","message":"w completed","allowedAt":"2026-11-15T12:02:00Z","change":"by itself, at 2026-11-15T12:02:00Z",
                         "checks":[{"question":"Held?","objection":false,"looksAt":"free"},{"question":"Cooldown?","objection":true,"looksAt":"one","until":"2026-11-15T12:02:00Z"},{"question":"Broke?","objection":true,"looksAt":"two"}]}"""), json(200, "{\"admitted\":true,\"checks\":[]}"));
        assertThat(cli.run("explain", "w", "Node/n")).isEqualTo(ExitCodes.NO);
        assertThat(server.requests()).containsExactly("GET /api/v1/targets/explain?target=node%2Fn&workflow=w");
        assertThat(cli.out())
                .contains("no: w on node/n would be Skipped (RecentlyRemediated)")
                .contains("Held?      no      -                             free")
                .contains("Cooldown?  yes     2026-11-15T12:02:00Z (in 2m)  one")
                .contains("Broke?     yes     no fixed time                 two")
                .contains("This changes by itself, at 2026-11-15T12:02:00Z.");
        assertThat(cli.run("explain", "w", "node/n")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("yes: w on node/n would run now");
        assertThat(cli.run("explain", "w", "a/b/c/d")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void printsHowLongAndBehindHowManyItWouldWait() {
        server.respondTo("GET /api/v1/targets/explain", json(200, """
                {"admitted":false,"reason":"ResourceBusy","message":"held","change":"when it ends","checks":[],
                 "waitsUntil":"2026-11-15T12:05:00Z","waitsBehind":2}"""));
        assertThat(cli.run("explain", "w", "node/n", "--wait-for", "5m")).isEqualTo(ExitCodes.NO);
        assertThat(server.requests())
                .containsExactly("GET /api/v1/targets/explain?target=node%2Fn&workflow=w&waitFor=5m");
        assertThat(cli.out())
                .contains(
                        "no: w on node/n would wait until 2026-11-15T12:05:00Z (in 5m), behind 2 others (ResourceBusy)");
    }
}
