package dev.escapement.cli.command;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Instant;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands that send requests to a server. */
@ExitCodes.Documented({ExitCodes.UNAUTHORIZED, ExitCodes.UNREACHABLE, ExitCodes.SERVER_ERROR})
public abstract class ClientCommand extends ContextCommand {

    @Mixin
    protected final ConnectionOptions connection = new ConnectionOptions();

    /** Adds the options of the base classes that the help lists after those of the command. */
    public void addSharedOptions(CommandSpec spec) {}

    @Override
    public final Integer call() {
        return execute(connection.createClient(context));
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
