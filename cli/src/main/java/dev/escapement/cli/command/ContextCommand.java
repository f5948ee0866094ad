package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.output.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** Base of all commands; returns the exit code. */
@SuppressWarnings("NullAway.Init") // The program sets the context of a command right after its construction.
public abstract class ContextCommand implements Callable<Integer> {

    protected CommandContext context;
    protected Terminal terminal;

    public final void setContext(CommandContext given) {
        context = given;
        terminal = given.terminal();
    }

    /** Adds the options of the base classes that the help lists after those of the command. */
    public void addSharedOptions(CommandSpec spec) {}
}
