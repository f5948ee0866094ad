package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands that send requests to a server. */
@SuppressWarnings("NullAway.Init") // The program sets the context of a command right after its construction.
public abstract class ClientCommand implements Callable<Integer> {

    public CommandContext context;
    public Terminal terminal;

    @Mixin
    public ConnectionOptions connection;

    protected ClientCommand() {}

    protected ClientCommand(CommandContext context) {
        setContext(context);
    }

    public final void setContext(CommandContext given) {
        context = given;
        terminal = given.terminal();
        connection = new ConnectionOptions(given);
    }

    /** Adds the options of the base classes that the help lists after those of the command. */
    public void addSharedOptions(CommandSpec spec) {}

    @Override
    public final Integer call() {
        return execute(connection.createClient());
    }

    /** Runs the command and returns the exit code. */
    protected abstract int execute(ApiClient api);

    protected final Instant now() {
        return context.clock().instant();
    }

    public static void printConnectionLost(Terminal terminal) {
        terminal.printError("escapement: connection lost; reconnecting");
    }
}
