package dev.escapement.server.endpoint;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.server.WorkItem;
import dev.escapement.server.document.ExecutionRequestParser;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.WorkflowLookup;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Creates the execution that remediates a failing endpoint: not twice for the same failure, not for an unknown
 * workflow, and not while the gate would skip it or the previous execution has not finished. If the gate decides
 * otherwise later, the execution is skipped with a reason.
 *
 * @param queue receives created executions
 */
public record WorkflowRemediationRequester(
        ExecutionQueries queries,
        ExecutionService service,
        WorkflowLookup workflows,
        Consumer<WorkItem> queue,
        InstantSource clock)
        implements RemediationRequester {

    private static final int MAX_QUOTE_LENGTH = 200;

    /** Annotation of an execution with the name of the endpoint that requested it. */
    private static final String ANNOTATION = "escapement.dev/endpoint";

    private static final Response REQUESTED = new Response(State.REQUESTED, "", Optional.empty());

    @Override
    public Response request(ScheduledEndpoint endpoint, RemediationPolicy remediation, String executionName) {
        if (queries.findExecution(remediation.namespace(), executionName).isPresent()) {
            return REQUESTED;
        }
        if (workflows.isUnknown(remediation.workflowId())) {
            return refusedReply("the catalogue has no workflow %s: add it, or change remediation.workflow"
                    .formatted(SafeText.quote(remediation.workflowId(), MAX_QUOTE_LENGTH)));
        }
        if (workflows.requiresImages()
                && remediation.clusterOptions().containerImage().isEmpty()) {
            return refusedReply(
                    "remediation.containerImage is missing: a cluster has no catalogue of workflows, only images");
        }
        Instant now = clock.instant();
        Execution execution;
        try {
            execution = ExecutionRequestParser.parse(
                            executionDocument(endpoint, remediation, executionName),
                            remediation.namespace(),
                            UUID.randomUUID().toString(),
                            now)
                    .createdBy("endpoint/" + endpoint.definition().name());
        } catch (IllegalArgumentException malformed) {
            return refusedReply(String.valueOf(malformed.getMessage()));
        }
        if (service.explain(remediation.workflowId(), remediation.target(), now) instanceof GateDecision.Skip skip) {
            return new Response(State.HELD_BACK, skip.reason() + ": " + skip.message(), skip.allowedAt());
        }
        return findLastExecution(endpoint, remediation)
                .filter(last -> !(last.status() instanceof ExecutionStatus.Final))
                .map(WorkflowRemediationRequester::heldBackReply)
                .orElseGet(() -> createExecution(execution, remediation));
    }

    /** Returns the previous execution of the endpoint. The gate does not know it while it is pending. */
    private Optional<Execution> findLastExecution(ScheduledEndpoint endpoint, RemediationPolicy remediation) {
        return endpoint.lastRemediation()
                .flatMap(attempt -> attempt.executionName()
                        .flatMap(name ->
                                queries.findExecution(attempt.namespace().orElse(remediation.namespace()), name)))
                .map(Versioned::value);
    }

    private static Response heldBackReply(Execution unfinished) {
        String reason = "execution %s of this endpoint is %s: the next one is created after it has finished"
                .formatted(unfinished.ref().name(), unfinished.status().phase());
        return new Response(State.HELD_BACK, reason, Optional.empty());
    }

    private static Response refusedReply(String reason) {
        return new Response(State.REFUSED, reason, Optional.empty());
    }

    private Response createExecution(Execution execution, RemediationPolicy remediation) {
        WorkItem item = new WorkItem(execution.ref(), Optional.of(remediation.target()));
        try {
            // An existing execution with this name belongs to the same failure.
            if (service.create(execution)) {
                queue.accept(item);
            }
            return REQUESTED;
        } catch (KubernetesClientException failure) {
            return HttpProblem.ofRejection(failure)
                    .map(rejection -> refusedReply(String.valueOf(rejection.getMessage())))
                    .orElseThrow(() -> failure);
        } catch (RuntimeException failure) {
            // It may have been stored all the same; the next attempt finds it by its name.
            queue.accept(item);
            throw failure;
        }
    }

    private static Map<String, Object> executionDocument(
            ScheduledEndpoint endpoint, RemediationPolicy remediation, String name) {
        var options = remediation.clusterOptions();
        String endpointName = endpoint.definition().name();
        var metadata = Map.of(
                "name", name, "namespace", remediation.namespace(), "annotations", Map.of(ANNOTATION, endpointName));
        var workflow = Map.of(
                "workflowId", remediation.workflowId(),
                "containerImage", options.containerImage(),
                "containerDigest", options.containerDigest());
        var spec = Map.of(
                "workflowRef", workflow,
                "executionConfig",
                        Map.of("engine", options.engine(), "serviceAccountName", options.serviceAccountName()),
                "targetResource", remediation.target().canonical(),
                "parameters", remediation.parameters(),
                "rationale",
                        "endpoint %s has failed %d times in a row"
                                .formatted(endpointName, endpoint.history().failures()));
        return Map.of(
                "apiVersion", ApiGroup.API_VERSION, "kind", WorkflowExecution.KIND, "metadata", metadata, "spec", spec);
    }
}
