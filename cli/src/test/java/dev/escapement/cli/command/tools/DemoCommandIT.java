package dev.escapement.cli.command.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.Sleeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo reports unmet expectations; CI plays the demo itself. Waits about 15 s for a real backoff. */
class DemoCommandIT {

    private final Path home;
    private final CommandLineHarness cli;

    DemoCommandIT(@TempDir Path home) {
        this.home = home;
        this.cli = new CommandLineHarness(home);
        // The demo waits for times that a real server computes.
        cli.clock = InstantSource.system();
        cli.sleeper = Sleeper.realTime();
    }

    @Test
    void returnsFailureWhenExpectationsAreNotMet() throws IOException {
        Path nothing = Files.createDirectories(home.resolve("empty"));
        assertThat(cli.run("demo", "--exit", "--workflows", nothing.toString())).isEqualTo(ExitCodes.NO);
        assertThat(cli.out())
                .containsPattern("one of 12 runs +no +0 Completed")
                .containsPattern("after the clearance it runs +no")
                .contains("Not all results were as expected.");
    }

    @Test
    void rejectsMissingWorkflowFolder() {
        assertThat(cli.run(
                        "demo", "--exit", "--workflows", home.resolve("absent").toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("absent", "--workflows");
    }
}
