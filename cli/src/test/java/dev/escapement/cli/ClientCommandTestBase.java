package dev.escapement.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** Base of tests that run commands against a {@link SimulatedServer}, as user ada. */
public abstract class ClientCommandTestBase {

    protected final Path home;
    protected final SimulatedServer server = new SimulatedServer();
    protected final CommandLineHarness cli;

    protected ClientCommandTestBase(Path home) throws IOException {
        this.home = home;
        cli = new CommandLineHarness(home);
        cli.environment.put("ESCAPEMENT_SERVER", server.url());
        cli.environment.put("USER", "ada");
    }

    @AfterEach
    final void stopServer() {
        server.close();
    }
}
