package dev.escapement.cli.command;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has subcommands; without one it fails and lists them. */
public abstract class CommandGroup implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public final void run() {
        List<String> names = spec.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
        throw new CommandLine.ParameterException(
                spec.commandLine(), "missing subcommand: name one of " + String.join(", ", names));
    }
}
