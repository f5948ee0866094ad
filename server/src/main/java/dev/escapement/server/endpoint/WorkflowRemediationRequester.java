package dev.escapement.server.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.remediation.RemediationRequester;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.server.WorkItem;
import dev.escapement.server.http.ApiServerRejection;
import dev.escapement.server.http.WorkflowLookup;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Asks for remediations as a careful person would: not twice for the same failure, not for what cannot be, and not
 * while the gate would refuse or the last one is not over. If it changes its mind in between, the execution is skipped,
 * and says why.
 *
 * @param queue carries on what was accepted
 */
public record WorkflowRemediationRequester(
        ExecutionQueries directory,
        ExecutionService requests,
        WorkflowLookup workflows,
        Consumer<WorkItem> queue,
        InstantSource clock)
        implements RemediationRequester {

    private static final int MAX_QUOTE_LENGTH = 200;

    /** On the execution, so that people see where it comes from. */
    private static final String ANNOTATION = "escapement.dev/endpoint";

    private static final Response REQUESTED = new Response(State.REQUESTED, "", Optional.empty());

    @Override
    public Response request(ScheduledEndpoint endpoint, RemediationPolicy remediation, String executionName) {
        if (directory.findExecution(remediation.namespace(), executionName).isPresent()) {
            return REQUESTED;
        }
        if (workflows.isUnknown(remediation.workflowId())) {
            return refusedReply("the catalogue has no workflow %s: add it, or name another as remediation.workflow"
                    .formatted(SafeText.quote(remediation.workflowId(), MAX_QUOTE_LENGTH)));
        }
        if (workflows.requiresImages()
                && remediation.clusterOptions().containerImage().isEmpty()) {
            return refusedReply(
                    "remediation.containerImage is missing: on a cluster a workflow is an image, and there is no"
                            + " catalogue to look it up in");
        }
        Instant now = clock.instant();
        Execution asked;
        try {
            asked = ExecutionDocument.request(
                    executionDocument(endpoint, remediation, executionName),
                    remediation.namespace(),
                    UUID.randomUUID().toString(),
                    now);
        } catch (IllegalArgumentException malformed) {
            return refusedReply(String.valueOf(malformed.getMessage()));
        }
        if (requests.explain(remediation.workflowId(), remediation.target(), now) instanceof GateDecision.Skip skip) {
            return new Response(State.HELD_BACK, skip.reason() + ": " + skip.message(), skip.allowedAt());
        }
        Optional<Execution> unfinished =
                findLastExecution(endpoint, remediation).filter(WorkflowRemediationRequester::isUnfinished);
        if (unfinished.isPresent()) {
            return heldBackReply(unfinished.get());
        }
        return createExecution(asked, remediation);
    }

    /** The one that was asked for before. The gate does not know of it as long as nobody has begun with it. */
    private Optional<Execution> findLastExecution(ScheduledEndpoint endpoint, RemediationPolicy remediation) {
        return endpoint.lastRemediation()
                .flatMap(remedy -> remedy.executionName()
                        .flatMap(name ->
                                directory.findExecution(remedy.namespace().orElse(remediation.namespace()), name)))
                .map(Versioned::value);
    }

    private static boolean isUnfinished(Execution execution) {
        return !(execution.status() instanceof ExecutionStatus.Final);
    }

    private static Response heldBackReply(Execution unfinished) {
        return new Response(
                State.HELD_BACK,
                "execution %s, which this endpoint asked for before, is %s: there is no second one until it is over"
                        .formatted(unfinished.ref().name(), unfinished.status().phase()),
                Optional.empty());
    }

    private static Response refusedReply(String reason) {
        return new Response(State.REFUSED, reason, Optional.empty());
    }

    /** Carried on even if it is not clear whether it was stored: then it is found by its name the next time. */
    private Response createExecution(Execution asked, RemediationPolicy remediation) {
        WorkItem work = WorkItem.of(asked.ref(), Optional.of(remediation.target()));
        try {
            // One of that name is one that was asked for because of the same failure.
            if (requests.create(asked)) {
                queue.accept(work);
            }
            return REQUESTED;
        } catch (KubernetesClientException failure) {
            return ApiServerRejection.of(failure)
                    .map(refusal -> refusedReply(refusal.message()))
                    .orElseThrow(() -> failure);
        } catch (RuntimeException unknown) {
            queue.accept(work);
            throw unknown;
        }
    }

    private static Map<String, Object> executionDocument(
            ScheduledEndpoint endpoint, RemediationPolicy remediation, String name) {
        return Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                ExecutionDocument.KIND,
                "metadata",
                Map.of(
                        "name", name,
                        "namespace", remediation.namespace(),
                        "annotations", Map.of(ANNOTATION, endpoint.definition().name())),
                "spec",
                Map.of(
                        "workflowRef",
                                Map.of(
                                        "workflowId", remediation.workflowId(),
                                        "containerImage",
                                                remediation.clusterOptions().containerImage(),
                                        "containerDigest",
                                                remediation.clusterOptions().containerDigest()),
                        "executionConfig",
                                Map.of(
                                        "engine", remediation.clusterOptions().engine(),
                                        "serviceAccountName",
                                                remediation.clusterOptions().serviceAccountName()),
                        "targetResource", remediation.target().canonical(),
                        "parameters", remediation.parameters(),
                        "rationale",
                                "endpoint %s has failed %d times in a row"
                                        .formatted(
                                                endpoint.definition().name(),
                                                endpoint.history().failures())));
    }
}
