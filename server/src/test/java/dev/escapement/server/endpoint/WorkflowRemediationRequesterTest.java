package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.api.workflow.WorkflowCatalogue;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester.Response;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.server.WorkItem;
import dev.escapement.server.document.EndpointRequestParser;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.storage.Database;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No worker processes the created executions, so they stay pending. */
class WorkflowRemediationRequesterTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");

    private final Database database;
    private final List<WorkItem> queue = new ArrayList<>();
    private final WorkflowRemediationRequester requester;

    WorkflowRemediationRequesterTest(@TempDir Path folder) {
        database = Database.openSqlite(folder.resolve("gate.db"));
        requester = new WorkflowRemediationRequester(
                database.queries(),
                new ExecutionService(database.store(), database.queries(), () -> Policy.DEFAULT),
                new WorkflowLookup(WorkflowRemediationRequesterTest::catalogue),
                queue::add,
                () -> NOW);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static WorkflowCatalogue catalogue() {
        return new WorkflowCatalogue(
                List.of(new CatalogueWorkflow("restart", "", "", List.of(), List.of(), "1m", Map.of())),
                List.of(),
                null);
    }

    private static ScheduledEndpoint endpoint(String target, String namespace, Optional<RemediationAttempt> last) {
        EndpointDefinition definition = EndpointRequestParser.parse(
                        Map.of(
                                "name",
                                "shop",
                                "url",
                                "https://shop.example/",
                                "interval",
                                "1m",
                                "remediation",
                                Map.of("workflow", "restart", "target", target, "namespace", namespace)),
                        Optional.empty(),
                        Optional.of(AllowList.parse("")))
                .definition();
        RunHistory history = RunHistory.initial(NOW);
        return new ScheduledEndpoint(
                "e1",
                NOW,
                definition,
                EndpointOverrides.NONE,
                history,
                4,
                new EndpointPlanner(RunPlanner.withDefaultJitter())
                        .plan("e1", definition, EndpointOverrides.NONE, history, NOW),
                last);
    }

    private Response request(ScheduledEndpoint endpoint, String execution) {
        RemediationPolicy remediation = endpoint.definition().remediation().orElseThrow();
        return requester.request(endpoint, remediation, execution);
    }

    private static Optional<RemediationAttempt> lastAttempt(String execution) {
        return Optional.of(new RemediationAttempt(
                3, NOW, State.HELD_BACK, Optional.of(execution), Optional.of("default"), "", Optional.empty()));
    }

    @Test
    void holdsBackWhileLastExecutionIsPending() {
        assertThat(request(endpoint("node/shop", "default", Optional.empty()), "first")
                        .state())
                .isEqualTo(State.REQUESTED);
        Response second = request(endpoint("node/shop", "default", lastAttempt("first")), "second");
        assertThat(second.state()).isEqualTo(State.HELD_BACK);
        assertThat(second.reason()).contains("execution first").contains("is Pending");
        assertThat(queue).hasSize(1);
    }

    @Test
    void holdsBackAlthoughTargetAndNamespaceHaveChanged() {
        request(endpoint("node/shop", "default", Optional.empty()), "first");
        assertThat(request(endpoint("node/other", "elsewhere", lastAttempt("first")), "second")
                        .state())
                .isEqualTo(State.HELD_BACK);
    }

    @Test
    void doesNotWaitForDeletedExecution() {
        assertThat(request(endpoint("node/shop", "default", lastAttempt("deleted")), "second")
                        .state())
                .isEqualTo(State.REQUESTED);
    }

    @Test
    void requestIsIdempotent() {
        request(endpoint("node/shop", "default", Optional.empty()), "first");
        assertThat(request(endpoint("node/shop", "default", lastAttempt("first")), "first")
                        .state())
                .isEqualTo(State.REQUESTED);
        assertThat(queue).hasSize(1);
    }
}
