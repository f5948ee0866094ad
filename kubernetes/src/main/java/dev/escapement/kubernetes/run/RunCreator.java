package dev.escapement.kubernetes.run;

import dev.escapement.common.Digests;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.HttpStatusClassifier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Creates suspended runs, or adopts the one that was created before. */
record RunCreator<T extends HasMetadata>(KubernetesObjectRunner<T> runner) {

    private static final int DIGEST_BYTES = 16;

    Preparation create(Execution execution) {
        T requested = newRun(execution);
        try {
            return runner.toReady(runner.writer().create(requested));
        } catch (KubernetesClientException refused) {
            return resolveRefusedCreate(execution, requested, refused);
        }
    }

    /** Returns the run to create, with a digest by which it is recognised if it exists already. */
    private T newRun(Execution execution) {
        T run = runner.adapter().newRun(execution.spec(), RunLabels.newRunMetadata(execution, runner.namespace()));
        Map<String, String> annotations = new TreeMap<>(run.getMetadata().getAnnotations());
        annotations.put(RunLabels.SPEC_DIGEST, Digests.sha256Hex(Json.writeSorted(run), DIGEST_BYTES));
        run.getMetadata().setAnnotations(annotations);
        return run;
    }

    /** Adopts the run if it exists; otherwise returns the refusal. */
    private Preparation resolveRefusedCreate(Execution execution, T requested, KubernetesClientException refused) {
        String name = requested.getMetadata().getName();
        String description = runner.describe(name);
        Instant now = runner.clock().instant();
        boolean exists = PreparationRefusals.isAlreadyExists(refused);
        if (!exists && HttpStatusClassifier.isTransient(refused.getCode())) {
            throw runner.refusals().unavailable(refused);
        }
        Optional<T> existing = exists ? runner.writer().fetch(runner.namespace(), name) : fetchUnlessForbidden(name);
        if (existing.isEmpty()) {
            if (exists) {
                throw new IllegalStateException(
                        description + " was removed by another client while it was being prepared, will retry",
                        refused);
            }
            return PreparationRefusals.of(refused, now);
        }
        T run = existing.get();
        if (!RunLabels.executionUid(run).equals(execution.ref().uid())) {
            return PreparationRefusals.nameTaken(description, now);
        }
        if (!isPreparedAs(requested, run)) {
            return PreparationRefusals.notPrepared(description, now);
        }
        if (run.getMetadata().getDeletionTimestamp() != null) {
            throw new IllegalStateException(description + " is being deleted, will retry when it is gone", refused);
        }
        runner.writer().cache().recordLatest(run);
        return runner.toReady(run);
    }

    /** A run that was started, or has another spec, was not prepared for this execution, whatever its labels say. */
    private boolean isPreparedAs(T requested, T run) {
        return runner.adapter().isSuspended(run)
                && RunLabels.annotation(run, RunLabels.SPEC_DIGEST)
                        .equals(RunLabels.annotation(requested, RunLabels.SPEC_DIGEST));
    }

    /**
     * Reads the run after its creation was refused: the client repeats a request without a response, so the first
     * request may have created the run and, for example, used up the quota that refuses the second.
     */
    private Optional<T> fetchUnlessForbidden(String name) {
        try {
            return runner.writer().fetch(runner.namespace(), name);
        } catch (KubernetesClientException e) {
            if (HttpStatusClassifier.isTransient(e.getCode())) {
                throw runner.refusals().unavailable(e);
            }
            return Optional.empty();
        }
    }
}
