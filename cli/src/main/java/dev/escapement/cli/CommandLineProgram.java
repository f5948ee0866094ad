package dev.escapement.cli;

import dev.escapement.backoff.DurationText;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.command.DescribeCommand;
import dev.escapement.cli.command.GetCommand;
import dev.escapement.cli.command.audit.AuditCommand;
import dev.escapement.cli.command.endpoint.EndpointCommand;
import dev.escapement.cli.command.endpoint.RunsCommand;
import dev.escapement.cli.command.execution.ApplyCommand;
import dev.escapement.cli.command.execution.EventsCommand;
import dev.escapement.cli.command.execution.ExecutionActionCommand.CancelCommand;
import dev.escapement.cli.command.execution.ExecutionActionCommand.DeleteCommand;
import dev.escapement.cli.command.execution.LogsCommand;
import dev.escapement.cli.command.execution.RunCommand;
import dev.escapement.cli.command.notification.NotifyCommand;
import dev.escapement.cli.command.service.OperatorCommand;
import dev.escapement.cli.command.service.UpCommand;
import dev.escapement.cli.command.target.ClearCommand;
import dev.escapement.cli.command.target.ExplainCommand;
import dev.escapement.cli.command.tools.CompletionCommand;
import dev.escapement.cli.command.tools.DemoCommand;
import dev.escapement.cli.command.tools.LadderCommand;
import dev.escapement.cli.command.tools.TokenCommand;
import dev.escapement.cli.command.tools.VersionCommand;
import dev.escapement.cli.command.tools.WarmUpCommand;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root command. Creates all commands, parses arguments, and converts failures into exit codes. */
@Command(
        name = "escapement",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Decides whether and when a workflow may run again on a target, runs it, and explains every refusal.",
            "",
            "  escapement demo             shows the main features in a minute",
            "  escapement up               starts a server on this machine",
            "  escapement operator         runs the operator of a Kubernetes cluster",
            "  escapement COMMAND --help   explains a command",
            ""
        },
        footer = {"", "Colours are used only on a terminal; NO_COLOR disables them."},
        subcommands = {
            UpCommand.class,
            OperatorCommand.class,
            DemoCommand.class,
            RunCommand.class,
            ApplyCommand.class,
            GetCommand.class,
            DescribeCommand.class,
            LogsCommand.class,
            ExplainCommand.class,
            ClearCommand.class,
            CancelCommand.class,
            DeleteCommand.class,
            EventsCommand.class,
            AuditCommand.class,
            EndpointCommand.class,
            RunsCommand.class,
            NotifyCommand.class,
            LadderCommand.class,
            TokenCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            WarmUpCommand.class,
            CommandLine.HelpCommand.class
        })
public final class CommandLineProgram implements Runnable {

    private static final int HELP_WIDTH = 100;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private CommandLineProgram(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs one command and returns its exit code; never throws. */
    public static int run(Terminal terminal, String... args) {
        return run(CommandContext.ofThisProcess(terminal), args);
    }

    public static int run(CommandContext context, String... args) {
        Terminal terminal = context.terminal();
        CommandLineProgram program = new CommandLineProgram(terminal);
        CommandLine commandLine = new CommandLine(program, new CommandFactory(context))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
                .registerConverter(Duration.class, CommandLineProgram::parseDuration)
                .registerConverter(Instant.class, CommandLineProgram::parseInstant)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_WIDTH)
                // Options such as --body give @ their own meaning.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(CommandLineProgram::handleParameterException)
                .setExecutionExceptionHandler(CommandLineProgram::handleExecutionException);
        CommandHelp.addTo(commandLine);
        int exitCode = commandLine.execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return exitCode;
    }

    /** Prints the help if no command is given. */
    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }

    private static Duration parseDuration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new CommandLine.TypeConversionException(invalid.getMessage());
        }
    }

    private static Instant parseInstant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException unreadable) {
            throw new CommandLine.TypeConversionException(
                    "'%s' is not a time: write it with its zone, such as 2026-11-15T12:00:00Z or 2026-11-15T13:00:00+01:00"
                            .formatted(text));
        }
    }

    /** Prints the message without the help, which would scroll it away. */
    private static int handleParameterException(CommandLine.ParameterException invalid, String[] args) {
        CommandLine command = invalid.getCommandLine();
        printUsageError(command, invalid);
        CommandLine.UnmatchedArgumentException.printSuggestions(invalid, command.getErr());
        return ExitCodes.USAGE;
    }

    private static void printUsageError(CommandLine command, Exception invalid) {
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().printf("%s: %s%nTry '%s --help'.%n", name, invalid.getMessage(), name);
    }

    private static int handleExecutionException(
            Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (failure instanceof ApiException apiFailure) {
            String name = command.getCommandSpec().qualifiedName();
            command.getErr().printf("%s: %s%n", name, apiFailure.getMessage());
            return ExitCodes.forFailure(apiFailure);
        }
        if (failure instanceof IllegalArgumentException) {
            printUsageError(command, failure);
            return ExitCodes.USAGE;
        }
        command.getErr().println("escapement: internal error, please report it:");
        failure.printStackTrace(command.getErr());
        return ExitCodes.INTERNAL_ERROR;
    }

    /** Creates commands and passes them the context. */
    private record CommandFactory(CommandContext context) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            K created = CommandLine.defaultFactory().create(type);
            if (created instanceof ContextCommand command) {
                command.setContext(context);
            }
            return created;
        }
    }
}
