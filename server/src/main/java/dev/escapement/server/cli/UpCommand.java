package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.standalone.StandaloneServer;
import picocli.CommandLine.Command;

/** Starts a server. */
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
final class UpCommand extends ServingCommand<StandaloneServer> {

    UpCommand(Surroundings surroundings) {
        super(surroundings, SettingsTable.STANDALONE);
    }

    @Override
    StandaloneServer start(Settings settings) {
        return StandaloneServer.start(settings);
    }

    @Override
    void welcome(StandaloneServer server, Settings settings) {
        terminal.line(terminal.in(Tone.GOOD, "Escapement is up") + ": " + server.address());
        terminal.line("  page       " + server.address() + "/");
        terminal.line("  API        " + server.address() + "/docs");
        terminal.line("  data       " + settings.dataFolder());
        terminal.line("  workflows  " + settings.workflowFolder());
        terminal.line("");
        terminal.line("In another terminal:");
        terminal.line("  escapement get workflows");
        terminal.line("  escapement run WORKFLOW TARGET --wait");
        terminal.line("");
        terminal.line("Ctrl-C stops the server; what it runs goes on and is found again.");
    }

    @Override
    int endedByItself() {
        complain("the server could not go on; its log says why");
        return ExitCodes.SERVER_ERROR;
    }
}
