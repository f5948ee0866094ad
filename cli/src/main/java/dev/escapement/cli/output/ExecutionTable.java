package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TableColumns;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Table of executions. */
public final class ExecutionTable {

    private ExecutionTable() {}

    public static Table build(Terminal terminal, boolean wide, Instant now, List<ExecutionJsonView> executions) {
        return new TableColumns<ExecutionJsonView>(wide)
                .add("NAME", ExecutionJsonView::shortName)
                .add("WORKFLOW", ExecutionJsonView::workflow)
                .add("TARGET", ExecutionJsonView::target)
                .add("PHASE", execution -> Table.Cell.ofPhase(execution.phase()))
                .add("REASON", ExecutionJsonView::reason)
                .addWide("TASKS", ExecutionJsonView::progress)
                .addWide(
                        "TOOK",
                        execution -> execution
                                .duration(now)
                                .map(TimeFormat::formatDuration)
                                .orElse(""))
                .add(
                        "AGE",
                        execution -> execution
                                .createdAt()
                                .map(at -> TimeFormat.formatAge(at, now))
                                .orElse(""))
                .addWide("UID", ExecutionJsonView::uid)
                .addWide("MESSAGE", ExecutionJsonView::message)
                .build(terminal, executions);
    }
}
