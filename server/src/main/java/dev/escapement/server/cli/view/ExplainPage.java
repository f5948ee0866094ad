package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import java.time.Instant;

/** The gate's answer, check by check. */
public final class ExplainPage {

    private final Terminal terminal;
    private final Instant now;

    public ExplainPage(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(JsonNode answer, String workflow, String target) {
        boolean admitted = answer.path("admitted").asBoolean();
        String about = Printable.line("%s on %s".formatted(workflow, target));
        terminal.line(
                admitted
                        ? terminal.in(Tone.GOOD, "yes") + ": " + about + " would run now"
                        : terminal.in(Tone.BAD, "no") + ": " + about + " would be Skipped ("
                                + Printable.line(Json.text(answer, "/reason")) + ")");
        terminal.line("");
        Table table = new Table(terminal, "CHECK", "IN THE WAY", "UNTIL", "LOOKS AT");
        for (JsonNode check : answer.path("checks")) {
            boolean objection = check.path("objection").asBoolean();
            table.row(
                    Json.text(check, "/question"),
                    new Table.Cell(objection ? "yes" : "no", objection ? Tone.BAD : Tone.GOOD),
                    until(check, objection),
                    Json.text(check, "/looksAt"));
        }
        table.print();
        if (!admitted) {
            terminal.line("");
            line(Json.text(answer, "/message"));
            line("It will change " + Json.text(answer, "/change") + ".");
        }
    }

    private String until(JsonNode check, boolean objection) {
        if (!objection) {
            return "";
        }
        return Json.instant(check, "/until").map(at -> Times.at(at, now)).orElse("not by itself");
    }

    private void line(String text) {
        terminal.line(Printable.line(text));
    }
}
