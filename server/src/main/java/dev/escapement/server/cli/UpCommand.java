package dev.escapement.server.cli;

import dev.escapement.server.Server;
import dev.escapement.server.StartException;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.settings.Setting;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsReader;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.settings.Sources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Starts a server. Every setting is an option; they are taken from the table that describes them. */
@Command(
        name = "up",
        sortOptions = false,
        description = {
            "Starts a server on this machine and stays until Ctrl-C.",
            "",
            "Every option can also be set in the environment (--data is ESCAPEMENT_DATA, and so on) and in the",
            "settings file; the option is the strongest, then the environment, then the file. Stopping the",
            "server does not stop what it runs: that is found again at the next start.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement up",
            "  escapement up --port 9000 --data ./data --workflows examples/workflows",
            "  escapement up --check                         every setting and where it comes from"
        })
@ExitsWith({
    ExitCodes.OK,
    ExitCodes.SERVER_ERROR,
    ExitCodes.ADDRESS_IN_USE,
    ExitCodes.DATA_UNUSABLE,
    ExitCodes.DATABASE_UNUSABLE
})
final class UpCommand implements Callable<Integer> {

    private final Surroundings surroundings;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", description = "Only say what every setting is and where it comes from; start nothing.")
    private boolean check;

    UpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
    }

    /** The options for the settings. */
    static void addSettings(CommandSpec up) {
        addSettings(up, SettingsTable.OF_UP);
    }

    static void addSettings(CommandSpec up, List<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            String fallback = setting.fallback().isEmpty() ? "" : ". Default: " + setting.fallback();
            up.addOption(OptionSpec.builder(setting.flag())
                    .paramLabel("VALUE")
                    .type(String.class)
                    .description((setting.description() + fallback).replace("%", "%%"))
                    .build());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Settings settings = SettingsReader.read(
                new Sources(flags(), surroundings.environment(), surroundings.home(), surroundings.workingDirectory()));
        if (check) {
            print(settings);
            return ExitCodes.OK;
        }
        try {
            return serve(settings);
        } catch (StartException failure) {
            terminal.err().println("escapement up: " + failure.getMessage());
            return ExitCodes.of(failure);
        }
    }

    private int serve(Settings settings) throws InterruptedException {
        AtomicBoolean asked = new AtomicBoolean();
        try (Server server = Server.start(settings);
                Interrupts.Registration stop = surroundings.interrupts().onStop(() -> stop(server, asked))) {
            welcome(server, settings);
            server.awaitClosed();
            assert stop != null;
        }
        if (!asked.get()) {
            terminal.err().println("escapement up: the server could not go on; its log says why");
        }
        return asked.get() ? ExitCodes.OK : ExitCodes.SERVER_ERROR;
    }

    private static void stop(Server server, AtomicBoolean asked) {
        asked.set(true);
        server.close();
    }

    private void welcome(Server server, Settings settings) {
        terminal.line(terminal.in(Tone.GOOD, "Escapement is up") + ": " + server.address());
        terminal.line("  page       " + server.address() + "/");
        terminal.line("  API        " + server.address() + "/docs");
        terminal.line("  data       " + settings.data());
        terminal.line("  workflows  " + settings.workflows());
        terminal.line("");
        terminal.line("In another terminal:");
        terminal.line("  escapement get workflows");
        terminal.line("  escapement run WORKFLOW TARGET --wait");
        terminal.line("");
        terminal.line("Ctrl-C stops the server; what it runs goes on and is found again.");
        terminal.out().flush();
    }

    private void print(Settings settings) {
        print(terminal, settings, SettingsTable.OF_UP);
    }

    static void print(Terminal terminal, Settings settings, List<Setting<?>> shown) {
        Table table = new Table(terminal, "SETTING", "VALUE", "FROM");
        settings.rows().stream()
                .filter(row -> shown.stream().anyMatch(setting -> setting.key().equals(row.key())))
                .forEach(row -> table.row(row.key(), row.value(), row.origin()));
        table.print();
    }

    private Map<String, String> flags() {
        return flags(spec.commandLine().getParseResult(), SettingsTable.OF_UP);
    }

    /** What was given on the command line, by the names of the settings. */
    static Map<String, String> flags(ParseResult given, List<Setting<?>> settings) {
        Map<String, String> flags = new LinkedHashMap<>();
        for (Setting<?> setting : settings) {
            if (given.hasMatchedOption(setting.flag())) {
                flags.put(setting.key(), given.matchedOptionValue(setting.flag(), ""));
            }
        }
        return flags;
    }
}
