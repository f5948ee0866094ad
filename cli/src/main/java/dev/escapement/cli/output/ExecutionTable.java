package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Executions, one per row. */
public final class ExecutionTable {

    private final Terminal terminal;
    private final boolean wide;

    public ExecutionTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
    }

    public Table build(List<ExecutionJsonView> executions, Instant now) {
        Table table = wide
                ? new Table(
                        terminal,
                        "NAME",
                        "WORKFLOW",
                        "TARGET",
                        "PHASE",
                        "REASON",
                        "TASKS",
                        "TOOK",
                        "AGE",
                        "UID",
                        "MESSAGE")
                : new Table(terminal, "NAME", "WORKFLOW", "TARGET", "PHASE", "REASON", "AGE");
        executions.forEach(execution -> addRow(table, execution, now));
        return table;
    }

    private void addRow(Table table, ExecutionJsonView execution, Instant now) {
        Table.Cell phase = Table.Cell.ofPhase(execution.phase());
        String age =
                execution.createdAt().map(at -> TimeFormat.formatAge(at, now)).orElse("");
        if (wide) {
            table.addRow(
                    execution.shortName(),
                    execution.workflow(),
                    execution.target(),
                    phase,
                    execution.reason(),
                    execution.progress(),
                    execution.duration(now).map(TimeFormat::formatDuration).orElse(""),
                    age,
                    execution.uid(),
                    execution.message());
        } else {
            table.addRow(
                    execution.shortName(), execution.workflow(), execution.target(), phase, execution.reason(), age);
        }
    }
}
