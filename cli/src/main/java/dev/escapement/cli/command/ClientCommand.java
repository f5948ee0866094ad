package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** Base of the commands that send requests to a server. */
public abstract class ClientCommand implements Callable<Integer> {

    public final CommandContext context;
    public final Terminal terminal;

    @Mixin
    public final ConnectionOptions connection;

    protected ClientCommand(CommandContext context) {
        this.context = context;
        this.terminal = context.terminal();
        this.connection = new ConnectionOptions(context);
    }

    @Override
    public final Integer call() {
        return execute(connection.createClient());
    }

    /** Runs the command and returns the exit code. */
    protected abstract int execute(ApiClient api);
}
