package dev.escapement.cli;

import dev.escapement.cli.output.terminal.Terminal;

/** Main class of the program. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(CommandLineProgram.run(Terminal.ofThisProcess(), args));
    }
}
