package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.text.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a server. */
abstract class ClientCommand implements Callable<Integer> {

    final Surroundings surroundings;
    final Terminal terminal;

    @Mixin
    final Connection connection;

    ClientCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
        this.connection = new Connection(surroundings);
    }

    @Override
    public final Integer call() {
        return ask(connection.client());
    }

    /** Does it, and returns the exit code. */
    abstract int ask(ApiClient api);
}
