package dev.escapement.kubernetes.operator;

import dev.escapement.governor.PlainText;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.View;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a resource that the schema let pass and that is no execution all the same: it fails, once. */
final class Unreadable {

    private static final Logger LOG = LoggerFactory.getLogger(Unreadable.class);
    private static final Set<Object> FINAL = Set.of("Completed", "Failed", "Skipped");
    private static final int LONGEST = 1_000;
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final View<WorkflowExecution> executions;
    private final InstantSource clock;

    Unreadable(KubernetesClient client, View<WorkflowExecution> executions, InstantSource clock) {
        this.client = client;
        this.executions = executions;
        this.clock = clock;
    }

    /** Says so in its status, unless that is final already. */
    void refuse(WorkflowExecution resource, String problem) {
        Map<String, Object> status = Optional.ofNullable(resource.getStatus()).orElseGet(Map::of);
        if (FINAL.contains(status.getOrDefault("phase", ""))) {
            return;
        }
        LOG.warn("execution cannot be read and fails: {}", problem);
        WorkflowExecution refused = new WorkflowExecution();
        refused.setMetadata(new ObjectMetaBuilder()
                .withNamespace(resource.getMetadata().getNamespace())
                .withName(resource.getMetadata().getName())
                .withUid(resource.getMetadata().getUid())
                .withResourceVersion(resource.getMetadata().getResourceVersion())
                .build());
        refused.setStatus(failed(status, PlainText.of(problem, LONGEST)));
        try {
            executions.learned(client.resource(refused).updateStatus());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT
                    && failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && failure.getCode() != UNPROCESSABLE) {
                throw failure;
            }
            LOG.warn("execution {} cannot be failed either: {}", resource.getFullResourceName(), failure.getMessage());
        }
    }

    /** Whether it ran is not known if it may have held its target. */
    private Map<String, Object> failed(Map<String, Object> before, String problem) {
        String now = clock.instant().toString();
        boolean mayHaveRun = before.containsKey("pipelineRunRef");
        Map<String, Object> failure = new LinkedHashMap<>();
        failure.put("reason", "ValidationError");
        failure.put("message", problem);
        failure.put("failedAt", now);
        failure.put("naturalLanguageSummary", "The resource cannot be read: " + problem + ". Delete it and ask again.");
        failure.put("wasExecutionFailure", mayHaveRun);
        failure.put("requiresManualReview", mayHaveRun);
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("phase", "Failed");
        status.put("observedGeneration", 1);
        status.put("outcome", "Failed");
        status.put("completionTime", now);
        status.put("failureDetails", failure);
        return status;
    }
}
