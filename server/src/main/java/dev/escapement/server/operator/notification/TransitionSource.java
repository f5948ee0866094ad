package dev.escapement.server.operator.notification;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.event.TransitionHistory;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the transitions for which a notification may have to be created: in the stored state of executions and targets,
 * as it was and as it changes, and in the journal, which also has those of objects that were deleted since. The same
 * transition may be found several times.
 *
 * @param receiver must not block or throw if a watch calls it
 */
record TransitionSource(
        ResourceCache<WorkflowExecutionResource> executions,
        ResourceCache<RemediationTargetResource> targets,
        Journal journal,
        Consumer<Transition> receiver,
        InstantSource clock) {

    private static final int BATCH_SIZE = 500;

    /** An entry keeps its last clearance, and may change for other reasons long after it. */
    private static final Duration MAX_CLEARANCE_AGE = Duration.ofHours(1);

    /** Returns the newest versions that the caches have. */
    NotificationPosition newestVersions() {
        return new NotificationPosition(newestVersion(executions), newestVersion(targets));
    }

    private static <T extends HasMetadata> long newestVersion(ResourceCache<T> cache) {
        return cache.all().mapToLong(ResourceCache::versionOf).max().orElse(0);
    }

    /** Starts to report changes, after the transitions of what changed since the position. Only the leader does. */
    void start(NotificationPosition since) {
        executions.onAdd(resource -> reportIfNewer(resource, since));
        executions.onUpdate((before, after) -> {
            // Other changes of a finished execution, such as of its labels, are no transitions.
            if (!before.isFinal()) {
                reportExecution(after);
            }
        });
        targets.onAdd(resource -> reportIfNewer(resource, since));
        targets.onUpdate((before, after) -> reportClearance(after));
        reportSince(since);
    }

    /** Reports the transitions of what changed since the position. */
    void reportSince(NotificationPosition since) {
        executions.all().forEach(resource -> reportIfNewer(resource, since));
        targets.all().forEach(resource -> reportIfNewer(resource, since));
    }

    private void reportIfNewer(WorkflowExecutionResource resource, NotificationPosition since) {
        if (ResourceCache.versionOf(resource) > since.executions()) {
            reportExecution(resource);
        }
    }

    private void reportIfNewer(RemediationTargetResource resource, NotificationPosition since) {
        if (ResourceCache.versionOf(resource) > since.targets()) {
            reportClearance(resource);
        }
    }

    /** An execution that is invalid has no history; its failure is in the journal. */
    private void reportExecution(WorkflowExecutionResource resource) {
        if (resource.isFinal()) {
            resource.readValid()
                    .ifPresent(execution -> TransitionHistory.ofExecution(execution.value(), clock.instant())
                            .forEach(receiver));
        }
    }

    private void reportClearance(RemediationTargetResource resource) {
        Instant oldest = clock.instant().minus(MAX_CLEARANCE_AGE);
        resource.readValid()
                .flatMap(entry ->
                        TransitionHistory.clearance(entry, EventReplayer.executionsOn(entry.target(), executions)))
                .filter(transition -> transition.at().isAfter(oldest))
                .ifPresent(receiver);
    }

    /**
     * Reports what the journal has after a position.
     *
     * @return the position of the last entry
     */
    String readJournal(String after) {
        String position = after;
        List<Journal.Entry> entries;
        do {
            entries = journal.read(position, BATCH_SIZE);
            for (Journal.Entry entry : entries) {
                receiver.accept(entry.transition());
                position = entry.position();
            }
        } while (entries.size() == BATCH_SIZE);
        return position;
    }
}
