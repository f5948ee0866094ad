package dev.escapement.server.cli;

import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
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
abstract class ServingCommand<T extends RunningService> implements Callable<Integer> {

    final Terminal terminal;
    private final Surroundings surroundings;
    private final List<Setting<?>> known;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", description = "Only say what every setting is and where it comes from; start nothing.")
    private boolean check;

    /** @param known the settings that act on it */
    ServingCommand(Surroundings surroundings, List<Setting<?>> known) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
        this.known = known;
    }

    /** @throws StartException if something stands in the way */
    abstract T start(Settings settings);

    /** Says what it is and what can be done now. */
    abstract void welcome(T started, Settings settings);

    /** Says why it has ended although nobody asked it to, and returns the exit code for it. */
    abstract int endedByItself();

    /** What else there is to say of settings. */
    List<String> remarks(Settings settings) {
        return List.of();
    }

    /** Options that stand for settings by other names. */
    void addTo(Map<String, String> flags) {}

    /** The options for the settings. */
    final void addSettings(CommandSpec command) {
        for (Setting<?> setting : known) {
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
        Settings settings = SettingsReader.read(new SettingsSources(
                flags(), surroundings.environment(), surroundings.home(), surroundings.workingDirectory()));
        if (check) {
            print(settings);
            return ExitCodes.OK;
        }
        try {
            return serve(settings);
        } catch (StartException failure) {
            complain(String.valueOf(failure.getMessage()));
            return ExitCodes.of(failure);
        }
    }

    private int serve(Settings settings) throws InterruptedException {
        AtomicBoolean asked = new AtomicBoolean();
        try (T started = start(settings);
                Interrupts.Registration stop = surroundings.interrupts().onStop(() -> stop(started, asked))) {
            welcome(started, settings);
            terminal.out().flush();
            started.awaitTermination();
            assert stop != null;
        }
        return asked.get() ? ExitCodes.OK : endedByItself();
    }

    private static void stop(RunningService started, AtomicBoolean asked) {
        asked.set(true);
        started.close();
    }

    final void complain(String problem) {
        terminal.err().println(spec.qualifiedName() + ": " + problem);
    }

    private void print(Settings settings) {
        Table table = new Table(terminal, "SETTING", "VALUE", "FROM");
        settings.rows().stream()
                .filter(row -> known.stream().anyMatch(setting -> setting.key().equals(row.key())))
                .forEach(row -> table.row(row.key(), row.value(), row.origin()));
        table.print();
        remarks(settings).forEach(this::complain);
    }

    /** What was given on the command line, by the names of the settings. */
    private Map<String, String> flags() {
        ParseResult given = spec.commandLine().getParseResult();
        Map<String, String> flags = new LinkedHashMap<>();
        for (Setting<?> setting : known) {
            if (given.hasMatchedOption(setting.flag())) {
                flags.put(setting.key(), given.matchedOptionValue(setting.flag(), ""));
            }
        }
        addTo(flags);
        return flags;
    }
}
