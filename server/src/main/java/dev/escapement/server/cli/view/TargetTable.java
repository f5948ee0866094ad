package dev.escapement.server.cli.view;

import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
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

    public Table of(List<TargetView> targets, Instant now) {
        Table table = wide
                ? new Table(
                        terminal, "TARGET", "STATE", "HELD BY", "FAILURES", "NEXT ALLOWED", "OBJECT", "EPOCH", "LAST")
                : new Table(terminal, "TARGET", "STATE", "HELD BY", "FAILURES", "NEXT ALLOWED", "LAST");
        for (TargetView target : targets) {
            String next = target.nextAllowed().map(at -> Times.at(at, now)).orElse("");
            if (wide) {
                table.row(
                        target.target(),
                        Table.Cell.of(target.state()),
                        target.holder(),
                        target.failures(),
                        next,
                        target.objectName(),
                        target.epoch(),
                        last(target, now));
            } else {
                table.row(
                        target.target(),
                        Table.Cell.of(target.state()),
                        target.holder(),
                        target.failures(),
                        next,
                        last(target, now));
            }
        }
        return table;
    }

    private static String last(TargetView target, Instant now) {
        return target.last()
                .map(past -> {
                    String reason = Json.text(past, "/reason");
                    return "%s %s%s"
                            .formatted(
                                    reason.isEmpty() ? "Completed" : reason,
                                    TargetView.execution(past),
                                    Json.instant(past, "/completedAt")
                                            .map(at -> ", " + Times.age(at, now) + " ago")
                                            .orElse(""));
                })
                .orElse("");
    }
}
