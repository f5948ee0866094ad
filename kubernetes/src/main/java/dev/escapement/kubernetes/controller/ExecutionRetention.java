package dev.escapement.kubernetes.controller;

import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes finished executions after their retention, a few at a time; their runs follow as after any deletion. Reads
 * only the caches. The next pass comes when the next retention ends.
 *
 * @param targets the ledger: what it remembers is kept, so that a removal never resets anything
 * @param recorded whether the audit records of an execution that ended then do not depend on it any more
 */
record ExecutionRetention(
        ResourceWriter<WorkflowExecutionResource> executions,
        ResourceWriter<RemediationTargetResource> targets,
        ExecutionStore store,
        Retention retention,
        Predicate<Instant> recorded,
        InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionRetention.class);
    private static final int BATCH_SIZE = 20;
    private static final Duration BATCH_PAUSE = Duration.ofSeconds(1);
    private static final Duration MIN_PAUSE = Duration.ofMinutes(10);
    private static final Duration MAX_PAUSE = Duration.ofHours(1);

    WorkResult removeExpired() {
        Instant now = clock.instant();
        Instant cutoff = retention.cutoff(now);
        List<WorkflowExecutionResource> expired = executions
                .cache()
                .all()
                .filter(resource -> !resource.isMarkedForDeletion())
                .filter(resource -> finishedAt(resource)
                        .filter(at -> !at.isAfter(cutoff))
                        .filter(recorded)
                        .isPresent())
                .filter(resource -> !isNeeded(resource))
                .limit(BATCH_SIZE)
                .toList();
        long removed =
                expired.stream().filter(resource -> tryRemove(resource, now)).count();
        if (removed > 0) {
            LOG.info("Executions removed after their retention: count={}", removed);
        }
        return WorkResult.after(removed == BATCH_SIZE ? BATCH_PAUSE : pause(now, cutoff));
    }

    /** One execution that cannot be deleted, for example because a policy forbids it, must not keep the others. */
    private boolean tryRemove(WorkflowExecutionResource resource, Instant now) {
        try {
            remove(resource, now);
            return true;
        } catch (KubernetesClientException refused) {
            LOG.warn(
                    "Execution {} could not be removed after its retention, will retry: {}",
                    resource.ref(),
                    refused.getMessage());
            return false;
        }
    }

    /** Returns the time until the next retention ends, within bounds: what the ledger still needs is checked again. */
    private Duration pause(Instant now, Instant cutoff) {
        Duration shortest = Stream.of(MIN_PAUSE, retention.period())
                .min(Duration::compareTo)
                .orElse(MIN_PAUSE);
        Duration next = executions
                .cache()
                .all()
                .filter(resource -> !resource.isMarkedForDeletion())
                .flatMap(resource -> finishedAt(resource).stream())
                // One that is kept beyond its retention may be removed as soon as nothing needs it any more.
                .map(at -> at.isAfter(cutoff) ? Duration.between(now, at.plus(retention.period())) : Duration.ZERO)
                .min(Duration::compareTo)
                .orElse(MAX_PAUSE);
        return Stream.of(next.compareTo(shortest) < 0 ? shortest : next, MAX_PAUSE)
                .min(Duration::compareTo)
                .orElse(MAX_PAUSE);
    }

    /** A resource that is invalid as an execution has no transitions; it is deleted without one. */
    private void remove(WorkflowExecutionResource resource, Instant now) {
        var meta = resource.getMetadata();
        resource.readValid()
                .ifPresentOrElse(
                        seen -> store.apply(List.of(new StoreWrite.Expiry(seen, now))),
                        () -> executions.tryDelete(meta.getNamespace(), meta.getName(), meta.getResourceVersion()));
    }

    private boolean isNeeded(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.targetResource()))
                .flatMap(Target::tryParse)
                .flatMap(target -> targets.cache().get("", target.objectName()))
                .filter(entry -> entry.readValid()
                        .<Boolean>map((LedgerEntry known) -> Retention.isNeeded(resource.ref(), known))
                        // What an invalid entry remembers is unknown.
                        .orElse(true))
                .isPresent();
    }

    private static Optional<Instant> finishedAt(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(WorkflowExecutionStatus::completionTime)
                .flatMap(ExecutionRetention::parse);
    }

    private static Optional<Instant> parse(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeParseException invalid) {
            return Optional.empty();
        }
    }
}
