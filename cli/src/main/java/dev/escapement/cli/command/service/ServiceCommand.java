package dev.escapement.cli.command.service;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.config.Setting;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Base of the commands that start a service and run until it is stopped. Every setting of the service is an option.
 *
 * @param <T> the service
 */
@Command(sortOptions = false)
@ExitCodes.Documented({ExitCodes.SERVER_ERROR, ExitCodes.ADDRESS_IN_USE, ExitCodes.DATABASE_UNUSABLE})
abstract class ServiceCommand<T extends RunningService> extends ContextCommand {

    private final List<Setting<?>> supportedSettings;
    private final Function<Settings, T> starter;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", description = "Only show every setting with its source; start nothing.")
    private boolean check;

    /** @param starter starts the service, or throws {@link StartException} */
    ServiceCommand(List<Setting<?>> supportedSettings, Function<Settings, T> starter) {
        this.supportedSettings = supportedSettings;
        this.starter = starter;
    }

    abstract void printStarted(T service, Settings settings);

    /** Prints that the service ended without a signal, and returns the exit code. */
    abstract int reportUnexpectedEnd();

    /** Returns warnings for {@code --check}. */
    List<String> settingWarnings(Settings settings) {
        return List.of();
    }

    /** Adds the settings of options that are named differently. */
    void addAliasFlags(Map<String, String> flags) {}

    @Override
    public final void addSharedOptions(CommandSpec command) {
        for (Setting<?> setting : supportedSettings) {
            String fallback = setting.defaultText().isEmpty() ? "" : ". Default: " + setting.defaultText();
            command.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("VALUE")
                    .type(String.class)
                    .description((setting.description() + fallback).replace("%", "%%"))
                    .build());
        }
    }

    @Override
    public final Integer call() throws InterruptedException {
        Settings settings = SettingsReader.read(
                new SettingsSources(flags(), context.environment(), context.home(), context.workingDirectory()));
        if (check) {
            printSettings(settings);
            return ExitCodes.OK;
        }
        try {
            return serve(settings);
        } catch (StartException failure) {
            printError(String.valueOf(failure.getMessage()));
            return ExitCodes.forFailure(failure);
        }
    }

    private int serve(Settings settings) throws InterruptedException {
        AtomicBoolean stopRequested = new AtomicBoolean();
        try (T service = starter.apply(settings);
                ShutdownSignals.Registration registration =
                        context.shutdownSignals().onStop(() -> stop(service, stopRequested))) {
            printStarted(service, settings);
            terminal.out().flush();
            service.awaitTermination();
            assert registration != null;
        }
        return stopRequested.get() ? ExitCodes.OK : reportUnexpectedEnd();
    }

    private static void stop(RunningService service, AtomicBoolean stopRequested) {
        stopRequested.set(true);
        service.close();
    }

    final void printError(String problem) {
        terminal.err().println(spec.qualifiedName() + ": " + problem);
    }

    private void printSettings(Settings settings) {
        Table table = new Table(terminal, "SETTING", "VALUE", "FROM");
        settings.rows().stream()
                .filter(row -> supportedSettings.stream()
                        .anyMatch(setting -> setting.key().equals(row.key())))
                .forEach(row -> table.addRow(row.key(), row.value(), row.origin()));
        table.print();
        settingWarnings(settings).forEach(this::printError);
    }

    /** Returns the settings given as options, by key. */
    private Map<String, String> flags() {
        ParseResult given = spec.commandLine().getParseResult();
        Map<String, String> flags = new LinkedHashMap<>();
        for (Setting<?> setting : supportedSettings) {
            if (given.hasMatchedOption(setting.flag())) {
                flags.put(setting.key(), given.matchedOptionValue(setting.flag(), ""));
            }
        }
        addAliasFlags(flags);
        return flags;
    }
}
