package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = {
            "Shows whether a workflow would run on a target now, and if not, why and until when.",
            "",
            "Runs nothing. Shows every check of the gate, also those after the first that blocks."
        },
        footer = {
            "  escapement explain clean-disk node/worker-node-1",
            "  escapement explain clean-disk node/worker-node-1 && escapement run clean-disk node/worker-node-1"
        })
@ExitCodes.Documented(ExitCodes.NO)
public final class ExplainCommand extends DocumentCommand {

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "Id of the workflow.")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = "--wait-for",
            paramLabel = "DURATION",
            description = "Ask for an execution that may wait that long, at most 24h.")
    private Optional<Duration> waitFor = Optional.empty();

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        JsonNode decision = api.get(ApiPath.of("targets", "explain")
                .withParameter("target", canonical)
                .withParameter("workflow", workflow)
                .withParameter("waitFor", waitFor.map(DurationText::format)));
        boolean admitted = decision.path("admitted").asBoolean();
        print(decision, admitted ? "yes" : "no", () -> print(decision, canonical, admitted));
        return admitted ? ExitCodes.OK : ExitCodes.NO;
    }

    private String refusal(JsonNode decision) {
        return ClientJson.instant(decision, "/waitsUntil")
                .map(until -> "wait until " + TimeFormat.formatInstant(until, now()) + ", behind "
                        + decision.path("waitsBehind").asLong() + " others")
                .orElse("be Skipped");
    }

    /** Prints the decision of the gate, check by check. */
    private void print(JsonNode decision, String canonical, boolean admitted) {
        String request = TerminalText.singleLine(workflow + " on " + canonical);
        terminal.printLine(
                admitted
                        ? terminal.styled(TerminalStyle.SUCCESS, "yes") + ": " + request + " would run now"
                        : terminal.styled(TerminalStyle.FAILURE, "no") + ": " + request + " would "
                                + refusal(decision) + " ("
                                + TerminalText.singleLine(ClientJson.text(decision, "/reason")) + ")");
        terminal.printLine("");
        Table table = new Table(terminal, "CHECK", "BLOCKS", "UNTIL", "DETAILS");
        for (JsonNode check : decision.path("checks")) {
            boolean blocks = check.path("objection").asBoolean();
            String until = ClientJson.instant(check, "/until")
                    .map(at -> TimeFormat.formatInstant(at, now()))
                    .orElse("no fixed time");
            table.addRow(
                    ClientJson.text(check, "/question"),
                    new Table.Cell(blocks ? "yes" : "no", blocks ? TerminalStyle.FAILURE : TerminalStyle.SUCCESS),
                    blocks ? until : "",
                    ClientJson.text(check, "/looksAt"));
        }
        table.print();
        if (!admitted) {
            terminal.printLine("");
            terminal.printSafeLine(ClientJson.text(decision, "/message"));
            terminal.printSafeLine("This changes " + ClientJson.text(decision, "/change") + ".");
        }
    }
}
