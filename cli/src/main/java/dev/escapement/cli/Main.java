package dev.escapement.cli;

import dev.escapement.cli.output.terminal.Terminal;

/** The program. */
public final class Main {

    private Main() {}

    /** Runs the command and ends with its exit code. */
    public static void main(String[] args) {
        System.exit(CommandLineProgram.run(Terminal.ofThisProcess(), args));
    }
}
