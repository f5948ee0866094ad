package dev.escapement.server.http.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.server.WorkItem;
import dev.escapement.server.http.TestRouteServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database commits a write, but its response is lost. */
class UnknownWriteOutcomeTest {

    private final Database database;
    private final List<WorkItem> queue = new CopyOnWriteArrayList<>();
    private final TestRouteServer api;

    UnknownWriteOutcomeTest(@TempDir Path folder) {
        database = Database.openSqlite(folder.resolve("lost.db"));
        ExecutionService requests = new ExecutionService(
                new ResponseLosingStore(database.store()), database.queries(), () -> Policy.DEFAULT);
        ExecutionRoutes.Backend backend = new ExecutionRoutes.Backend(
                database.store(),
                database.queries(),
                requests,
                (run, from, limit) -> new RunLogs.Chunk("", 0, true),
                queue::add,
                UnaryOperator.identity(),
                execution -> {});
        api = new TestRouteServer(new ExecutionRoutes(backend).routes());
    }

    @AfterEach
    void close() {
        api.close();
        database.close();
    }

    @Test
    void enqueuesExecutionWhenWriteOutcomeIsUnknown() {
        HttpResponse<String> answer =
                api.post("/api/v1/executions", TestServer.executionJson("maybe", "ok", "node/a", Map.of()));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("it is unknown whether the request took effect");
        Execution stored = database.queries()
                .findExecution("default", "maybe")
                .orElseThrow()
                .value();
        assertThat(queue).containsExactly(new WorkItem(stored.ref(), Optional.of(Target.parse("node/a"))));
    }

    /** Writes, and then throws as if the response was lost. */
    private record ResponseLosingStore(ExecutionStore delegate) implements ForwardingStore {

        @Override
        public boolean apply(List<StoreWrite> writes) {
            assertThat(delegate.apply(writes)).isTrue();
            throw new CommitOutcomeUnknownException("the connection broke", new IllegalStateException("hung up"));
        }
    }
}
