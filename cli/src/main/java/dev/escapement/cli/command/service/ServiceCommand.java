package dev.escapement.cli.command.service;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.config.Setting;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Starts something and stays until it is told to stop. Every setting is an option; they are taken from the table that
 * describes them.
 *
 * @param <T> what it starts
 */
public abstract class ServiceCommand<T extends RunningService> implements Callable<Integer> {

    final Terminal terminal;
    private final CommandContext context;
    private final List<Setting<?>> supportedSettings;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", description = "Only say what every setting is and where it comes from; start nothing.")
    private boolean check;

    /** @param known the settings that act on it */
    ServiceCommand(CommandContext surroundings, List<Setting<?>> known) {
        this.context = surroundings;
        this.terminal = surroundings.terminal();
        this.supportedSettings = known;
    }

    /** @throws StartException if something stands in the way */
    abstract T start(Settings settings);

    /** Says what it is and what can be done now. */
    abstract void printStarted(T started, Settings settings);

    /** Says why it has ended although nobody asked it to, and returns the exit code for it. */
    abstract int reportUnexpectedEnd();

    /** What else there is to say of settings. */
    List<String> settingWarnings(Settings settings) {
        return List.of();
    }

    /** Options that stand for settings by other names. */
    void addAliasFlags(Map<String, String> flags) {}

    /** The options for the settings. */
    public final void addSettingOptions(CommandSpec command) {
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
        AtomicBoolean asked = new AtomicBoolean();
        try (T started = start(settings);
                ShutdownSignals.Registration stop = context.shutdownSignals().onStop(() -> stop(started, asked))) {
            printStarted(started, settings);
            terminal.out().flush();
            started.awaitTermination();
            assert stop != null;
        }
        return asked.get() ? ExitCodes.OK : reportUnexpectedEnd();
    }

    private static void stop(RunningService started, AtomicBoolean asked) {
        asked.set(true);
        started.close();
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

    /** What was given on the command line, by the names of the settings. */
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
