package dev.escapement.cli.command.service;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.DashboardAddress;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.standalone.StandaloneServer;
import picocli.CommandLine.Command;

@Command(
        name = "up",
        description = {
            "Starts a server on this machine and runs until Ctrl-C.",
            "",
            "Every option can also be set in the environment (--data is ESCAPEMENT_DATA, and so on) and in the",
            "settings file. An option overrides the environment, which overrides the file. Workflows continue when",
            "the server stops; the next start picks them up."
        },
        footer = {
            "  escapement up",
            "  escapement up --port 9000 --data ./data --workflows examples/workflows",
            "  escapement up --check                         every setting and where it comes from"
        })
@ExitCodes.Documented(ExitCodes.DATA_UNUSABLE)
public final class UpCommand extends ServiceCommand<StandaloneServer> {

    UpCommand() {
        super(SettingsTable.STANDALONE, StandaloneServer::start);
    }

    @Override
    void printStarted(StandaloneServer server, Settings settings) {
        terminal.printLine(terminal.styled(TerminalStyle.SUCCESS, "Escapement is up") + ": " + server.address());
        terminal.printLine("  dashboard  " + DashboardAddress.of(server, settings, context));
        terminal.printLine("  API        " + server.address() + "/docs");
        terminal.printLine("  data       " + settings.dataFolder());
        terminal.printLine("  workflows  " + settings.workflowFolder());
        terminal.printLine("");
        terminal.printLine("In another terminal:");
        terminal.printLine("  escapement get workflows");
        terminal.printLine("  escapement run WORKFLOW TARGET --wait");
        terminal.printLine("");
        terminal.printLine("Ctrl-C stops the server; running workflows continue, and the next start picks them up.");
    }

    @Override
    int reportUnexpectedEnd() {
        printError("the server stopped unexpectedly; its log has the reason");
        return ExitCodes.SERVER_ERROR;
    }
}
