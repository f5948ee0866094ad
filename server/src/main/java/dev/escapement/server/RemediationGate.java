package dev.escapement.server;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.RemediationAttempt.State;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.remediation.RemediationRequester;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.server.http.ClusterRefusal;
import dev.escapement.server.http.Workflows;
import dev.escapement.server.worker.Work;
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
record RemediationGate(
        ExecutionQueries directory,
        ExecutionService requests,
        Workflows workflows,
        Consumer<Work> queue,
        InstantSource clock)
        implements RemediationRequester {

    private static final int LONGEST_QUOTE = 200;

    /** On the execution, so that people see where it comes from. */
    private static final String ANNOTATION = "escapement.dev/endpoint";

    private static final Response REQUESTED = new Response(State.REQUESTED, "", Optional.empty());

    @Override
    public Response request(Endpoint endpoint, RemediationPolicy remediation, String executionName) {
        if (directory.findExecution(remediation.namespace(), executionName).isPresent()) {
            return REQUESTED;
        }
        if (workflows.isUnknown(remediation.workflowId())) {
            return refused("the catalogue has no workflow %s: add it, or name another as remediation.workflow"
                    .formatted(SafeText.quote(remediation.workflowId(), LONGEST_QUOTE)));
        }
        if (workflows.needImages()
                && remediation.clusterOptions().containerImage().isEmpty()) {
            return refused("remediation.containerImage is missing: on a cluster a workflow is an image, and there is no"
                    + " catalogue to look it up in");
        }
        Instant now = clock.instant();
        Execution asked;
        try {
            asked = ExecutionDocument.request(
                    document(endpoint, remediation, executionName),
                    remediation.namespace(),
                    UUID.randomUUID().toString(),
                    now);
        } catch (IllegalArgumentException malformed) {
            return refused(String.valueOf(malformed.getMessage()));
        }
        if (requests.explain(remediation.workflowId(), remediation.target(), now) instanceof GateDecision.Skip skip) {
            return new Response(State.HELD_BACK, skip.reason() + ": " + skip.message(), skip.allowedAt());
        }
        Optional<Execution> unfinished = last(endpoint, remediation).filter(RemediationGate::isUnfinished);
        if (unfinished.isPresent()) {
            return heldBack(unfinished.get());
        }
        return create(asked, remediation);
    }

    /** The one that was asked for before. The gate does not know of it as long as nobody has begun with it. */
    private Optional<Execution> last(Endpoint endpoint, RemediationPolicy remediation) {
        return endpoint.lastRemediation()
                .flatMap(remedy -> remedy.executionName()
                        .flatMap(name ->
                                directory.findExecution(remedy.namespace().orElse(remediation.namespace()), name)))
                .map(Versioned::value);
    }

    private static boolean isUnfinished(Execution execution) {
        return !(execution.status() instanceof ExecutionStatus.Final);
    }

    private static Response heldBack(Execution unfinished) {
        return new Response(
                State.HELD_BACK,
                "execution %s, which this endpoint asked for before, is %s: there is no second one until it is over"
                        .formatted(unfinished.ref().name(), unfinished.status().phase()),
                Optional.empty());
    }

    private static Response refused(String reason) {
        return new Response(State.REFUSED, reason, Optional.empty());
    }

    /** Carried on even if it is not clear whether it was stored: then it is found by its name the next time. */
    private Response create(Execution asked, RemediationPolicy remediation) {
        Work work = Work.on(asked.ref(), Optional.of(remediation.target()));
        try {
            // One of that name is one that was asked for because of the same failure.
            if (requests.create(asked)) {
                queue.accept(work);
            }
            return REQUESTED;
        } catch (KubernetesClientException failure) {
            return ClusterRefusal.of(failure)
                    .map(refusal -> refused(refusal.message()))
                    .orElseThrow(() -> failure);
        } catch (RuntimeException unknown) {
            queue.accept(work);
            throw unknown;
        }
    }

    private static Map<String, Object> document(Endpoint endpoint, RemediationPolicy remediation, String name) {
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
