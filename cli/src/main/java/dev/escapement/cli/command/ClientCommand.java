package dev.escapement.cli.command;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.option.ConnectionOptions;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Base of the commands that send requests to a server. */
@Command(sortOptions = false)
@ExitCodes.Documented({ExitCodes.UNAUTHORIZED, ExitCodes.UNREACHABLE, ExitCodes.SERVER_ERROR})
public abstract class ClientCommand extends ContextCommand {

    @Mixin
    protected final ConnectionOptions connection = new ConnectionOptions();

    @Override
    public final Integer call() {
        return execute(connection.createClient(context));
    }

    /** Runs the command and returns the exit code. */
    protected abstract int execute(ApiClient api);

    protected final Instant now() {
        return context.clock().instant();
    }

    protected final void printConnectionLost() {
        terminal.printError("escapement: connection lost; reconnecting");
    }
}
