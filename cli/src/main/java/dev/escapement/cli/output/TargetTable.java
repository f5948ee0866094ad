package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TableColumns;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Table of targets. */
public final class TargetTable {

    private TargetTable() {}

    public static Table build(Terminal terminal, boolean wide, Instant now, List<TargetJsonView> targets) {
        return new TableColumns<TargetJsonView>(wide)
                .add("TARGET", TargetJsonView::target)
                .add("STATE", target -> Table.Cell.ofPhase(target.state()))
                .add("HELD BY", TargetJsonView::holder)
                .add("FAILURES", TargetJsonView::failures)
                .add("NEXT ALLOWED", target -> TimeFormat.formatInstant(target.nextAllowed(), now))
                .addWide("OBJECT", TargetJsonView::objectName)
                .addWide("EPOCH", TargetJsonView::epoch)
                .add("LAST", target -> lastEndedText(target, now))
                .build(terminal, targets);
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
