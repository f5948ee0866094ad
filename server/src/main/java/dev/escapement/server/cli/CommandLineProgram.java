package dev.escapement.server.cli;

import dev.escapement.backoff.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;

/** The command line as a whole: what all commands share. */
@Command(
        name = "escapement",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLineProgram.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Decides whether and when something may run again, and always says why not.",
            "",
            "Try: escapement ladder",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 done, or yes; 1 the answer is no; 2 not understood or a value refused; 70 a bug;",
            "69 the launcher could not build or find Java.",
            "Colours only on a terminal; NO_COLOR turns them off."
        },
        subcommands = {LadderCommand.class, CommandLine.HelpCommand.class})
public final class CommandLineProgram implements Runnable {

    private static final int HELP_WIDTH = 100;

    private final Terminal terminal;
    private CommandLine commandLine = new CommandLine(this);

    private CommandLineProgram(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs one command and returns its exit code; never throws. */
    public static int run(Terminal terminal, String... args) {
        CommandLineProgram program = new CommandLineProgram(terminal);
        program.commandLine = new CommandLine(program, new Commands(terminal))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
                .registerConverter(Duration.class, CommandLineProgram::duration)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_WIDTH)
                .setParameterExceptionHandler(CommandLineProgram::refuse)
                .setExecutionExceptionHandler(CommandLineProgram::explain);
        int exitCode = program.commandLine.execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return exitCode;
    }

    /** Without a command: the help, as for a question that was not finished. */
    @Override
    public void run() {
        commandLine.usage(terminal.out());
    }

    private static Duration duration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException refused) {
            throw new CommandLine.TypeConversionException(refused.getMessage());
        }
    }

    /** A complaint is read best when it is not followed by a page of help. */
    private static int refuse(CommandLine.ParameterException refused, String[] args) {
        CommandLine command = refused.getCommandLine();
        complain(command, refused);
        CommandLine.UnmatchedArgumentException.printSuggestions(refused, command.getErr());
        return ExitCodes.USAGE;
    }

    private static void complain(CommandLine command, Exception refused) {
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().printf("%s: %s%nTry '%s --help'.%n", name, refused.getMessage(), name);
    }

    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (failure instanceof IllegalArgumentException) {
            complain(command, failure);
            return ExitCodes.USAGE;
        }
        command.getErr().println("escapement: this is a bug, please report it:");
        failure.printStackTrace(command.getErr());
        return ExitCodes.INTERNAL;
    }

    /** Hands the terminal to the commands that picocli makes. */
    private record Commands(Terminal terminal) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == LadderCommand.class
                    ? type.cast(new LadderCommand(terminal))
                    : CommandLine.defaultFactory().create(type);
        }
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Properties build = new Properties();
            try (InputStream in =
                    CommandLineProgram.class.getResourceAsStream("/dev/escapement/server/build.properties")) {
                build.load(in);
            }
            return new String[] {
                "escapement " + build.getProperty("version"), "Java " + Runtime.version(),
            };
        }
    }
}
