package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
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

    public Table of(List<ExecutionView> executions, Instant now) {
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
        executions.forEach(execution -> add(table, execution, now));
        return table;
    }

    private void add(Table table, ExecutionView execution, Instant now) {
        Table.Cell phase = Table.Cell.of(execution.phase());
        String age = execution.createdAt().map(at -> Times.age(at, now)).orElse("");
        if (wide) {
            table.row(
                    execution.shortName(),
                    execution.workflow(),
                    execution.target(),
                    phase,
                    execution.reason(),
                    execution.progress(),
                    execution.duration(now).map(Times::about).orElse(""),
                    age,
                    execution.uid(),
                    execution.message());
        } else {
            table.row(execution.shortName(), execution.workflow(), execution.target(), phase, execution.reason(), age);
        }
    }
}
