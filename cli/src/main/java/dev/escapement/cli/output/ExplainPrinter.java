package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;

/** Prints the decision of the gate, check by check. */
public final class ExplainPrinter {

    private ExplainPrinter() {}

    public static void print(JsonNode decision, String workflow, String target, Terminal terminal, Instant now) {
        boolean admitted = decision.path("admitted").asBoolean();
        String request = TerminalText.singleLine(workflow + " on " + target);
        terminal.printLine(
                admitted
                        ? terminal.styled(TerminalStyle.SUCCESS, "yes") + ": " + request + " would run now"
                        : terminal.styled(TerminalStyle.FAILURE, "no") + ": " + request + " would be Skipped ("
                                + TerminalText.singleLine(ClientJson.text(decision, "/reason")) + ")");
        terminal.printLine("");
        Table table = new Table(terminal, "CHECK", "BLOCKS", "UNTIL", "DETAILS");
        for (JsonNode check : decision.path("checks")) {
            boolean blocks = check.path("objection").asBoolean();
            String until = ClientJson.instant(check, "/until")
                    .map(at -> TimeFormat.formatInstant(at, now))
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
