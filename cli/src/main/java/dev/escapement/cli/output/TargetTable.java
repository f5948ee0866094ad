package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Targets, one per row. */
public final class TargetTable {

    private final Terminal terminal;
    private final boolean wide;

    public TargetTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
    }

    public Table build(List<TargetJsonView> targets, Instant now) {
        Table table = wide
                ? new Table(
                        terminal, "TARGET", "STATE", "HELD BY", "FAILURES", "NEXT ALLOWED", "OBJECT", "EPOCH", "LAST")
                : new Table(terminal, "TARGET", "STATE", "HELD BY", "FAILURES", "NEXT ALLOWED", "LAST");
        for (TargetJsonView target : targets) {
            String next = target.nextAllowed()
                    .map(at -> TimeFormat.formatInstant(at, now))
                    .orElse("");
            if (wide) {
                table.addRow(
                        target.target(),
                        Table.Cell.ofPhase(target.state()),
                        target.holder(),
                        target.failures(),
                        next,
                        target.objectName(),
                        target.epoch(),
                        lastEndedText(target, now));
            } else {
                table.addRow(
                        target.target(),
                        Table.Cell.ofPhase(target.state()),
                        target.holder(),
                        target.failures(),
                        next,
                        lastEndedText(target, now));
            }
        }
        return table;
    }

    private static String lastEndedText(TargetJsonView target, Instant now) {
        return target.lastEnded()
                .map(past -> {
                    String reason = ClientJson.text(past, "/reason");
                    return "%s %s%s"
                            .formatted(
                                    reason.isEmpty() ? "Completed" : reason,
                                    TargetJsonView.executionName(past),
                                    ClientJson.instant(past, "/completedAt")
                                            .map(at -> ", " + TimeFormat.formatAge(at, now) + " ago")
                                            .orElse(""));
                })
                .orElse("");
    }
}
