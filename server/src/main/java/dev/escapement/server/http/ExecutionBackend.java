package dev.escapement.server.http;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.server.WorkItem;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What the routes of executions and targets read and write.
 *
 * @param workQueue receives every execution that was created, cancelled or deleted
 * @param reloader returns a just created execution as it is stored
 */
public record ExecutionBackend(
        ExecutionStore store,
        ExecutionQueries queries,
        ExecutionService service,
        RunLogs logs,
        Consumer<WorkItem> workQueue,
        UnaryOperator<Execution> reloader) {}
