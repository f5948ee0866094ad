package dev.escapement.cli.command.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import dev.escapement.server.http.access.Right;
import dev.escapement.server.http.access.TokenTable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {

    private final CommandLineHarness cli;

    TokenCommandTest(@TempDir Path home) {
        this.cli = new CommandLineHarness(home);
    }

    /** The server reads the entry as it is printed, and accepts the printed token. */
    @Test
    void printsEntryThatServerAccepts() {
        assertThat(cli.run("token", "create", "ann@example.org", "--rights", "view,run"))
                .isEqualTo(ExitCodes.OK);
        List<String> lines = cli.out().lines().toList();
        String token = lines.get(1).strip();
        String entry = lines.stream()
                .filter(line -> line.contains("sha256:"))
                .findFirst()
                .orElseThrow();
        assertThat(TokenTable.parse("tokens:\n" + entry).entries())
                .singleElement()
                .satisfies(parsed -> {
                    assertThat(parsed.sha256()).isEqualTo(TokenTable.digest(token));
                    assertThat(parsed.caller().name()).isEqualTo("ann@example.org");
                    assertThat(Right.format(parsed.caller().effectiveRights())).isEqualTo("view, run");
                });
    }

    @Test
    void createsAnotherTokenEachTime() {
        cli.run("token", "create", "ann", "--rights", "admin");
        String first = cli.out();
        cli.run("token", "create", "ann", "--rights", "admin");
        assertThat(cli.out()).isNotEqualTo(first);
    }

    @Test
    void refusesUnknownRightAndInvalidName() {
        assertThat(cli.run("token", "create", "ann", "--rights", "view,fly")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("rights are view, run, clear, admin");
        assertThat(cli.run("token", "create", "ann: {}", "--rights", "view")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("NAME must be of letters");
        assertThat(cli.out()).doesNotContain("sha256");
    }
}
