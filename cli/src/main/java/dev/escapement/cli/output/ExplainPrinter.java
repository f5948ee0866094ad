package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;

/** The gate's answer, check by check. */
public final class ExplainPrinter {

    private final Terminal terminal;
    private final Instant now;

    public ExplainPrinter(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(JsonNode answer, String workflow, String target) {
        boolean admitted = answer.path("admitted").asBoolean();
        String about = TerminalText.singleLine("%s on %s".formatted(workflow, target));
        terminal.printLine(
                admitted
                        ? terminal.styled(TerminalStyle.SUCCESS, "yes") + ": " + about + " would run now"
                        : terminal.styled(TerminalStyle.FAILURE, "no") + ": " + about + " would be Skipped ("
                                + TerminalText.singleLine(ClientJson.text(answer, "/reason")) + ")");
        terminal.printLine("");
        Table table = new Table(terminal, "CHECK", "IN THE WAY", "UNTIL", "LOOKS AT");
        for (JsonNode check : answer.path("checks")) {
            boolean objection = check.path("objection").asBoolean();
            table.addRow(
                    ClientJson.text(check, "/question"),
                    new Table.Cell(objection ? "yes" : "no", objection ? TerminalStyle.FAILURE : TerminalStyle.SUCCESS),
                    untilText(check, objection),
                    ClientJson.text(check, "/looksAt"));
        }
        table.print();
        if (!admitted) {
            terminal.printLine("");
            printLine(ClientJson.text(answer, "/message"));
            printLine("It will change " + ClientJson.text(answer, "/change") + ".");
        }
    }

    private String untilText(JsonNode check, boolean objection) {
        if (!objection) {
            return "";
        }
        return ClientJson.instant(check, "/until")
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("not by itself");
    }

    private void printLine(String text) {
        terminal.printLine(TerminalText.singleLine(text));
    }
}
