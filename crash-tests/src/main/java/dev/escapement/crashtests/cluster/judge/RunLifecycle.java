package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The revisions at which a run was started, ended and deleted. A PipelineRun is suspended by {@code spec.status} and
 * has one condition for its end; a Job is suspended by {@code spec.suspend} and has one condition per kind of end.
 *
 * @param kind {@code PipelineRun} or {@code Job}
 * @param uid of the run
 * @param name of the run
 * @param execution the uid of its execution
 * @param target the object name of its target
 * @param startedRevision when it was started; {@link #NEVER} if it was not
 * @param endedRevision when it ended or was deleted
 * @param deletedRevision when it was deleted
 * @param succeeded whether it succeeded
 * @param withdrawn whether it ended before Tekton created anything for it: it can never run
 */
public record RunLifecycle(
        String kind,
        String uid,
        String name,
        String execution,
        String target,
        long startedRevision,
        long endedRevision,
        long deletedRevision,
        boolean succeeded,
        boolean withdrawn) {

    /** A revision after all others. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final String WITHDRAWN = "kubernaut.ai/withdrawn";
    private static final String SUSPENDED_STATUS = "PipelineRunPending";

    static RunLifecycle of(List<EtcdChange> changes) {
        JsonNode metadata = changes.get(0).object().path("metadata");
        long started = NEVER;
        long ended = NEVER;
        long deleted = NEVER;
        boolean succeeded = false;
        boolean reported = false;
        boolean withdrawn = false;
        // A run that was withdrawn and got tasks nevertheless was not withdrawn at all.
        boolean idle = isPipelineRun(changes)
                && changes.stream()
                        .allMatch(change ->
                                change.after().at("/status/childReferences").isEmpty());
        for (EtcdChange change : changes) {
            if (change.isDeletion()) {
                deleted = change.revision();
                ended = Math.min(ended, deleted);
            } else {
                if (started == NEVER && !isSuspended(change.after())) {
                    started = change.revision();
                }
                String condition = succeededCondition(change.after());
                if (!reported && !condition.equals("Unknown")) {
                    reported = true;
                    ended = Math.min(ended, change.revision());
                    succeeded = condition.equals("True");
                }
                if (idle && change.after().path("metadata").path("annotations").has(WITHDRAWN)) {
                    withdrawn = true;
                    ended = Math.min(ended, change.revision());
                }
            }
        }
        return new RunLifecycle(
                changes.get(0).object().path("kind").asText(),
                metadata.path("uid").asText(),
                metadata.path("name").asText(),
                metadata.path("labels").path("kubernaut.ai/execution-uid").asText(),
                metadata.path("labels").path("kubernaut.ai/target").asText(),
                started,
                ended,
                deleted,
                succeeded,
                withdrawn || (idle && deleted != NEVER && !reported));
    }

    public boolean wasStarted() {
        return startedRevision != NEVER;
    }

    boolean isRunningAt(long revision) {
        return startedRevision <= revision && revision < endedRevision;
    }

    private static boolean isPipelineRun(List<EtcdChange> changes) {
        return changes.get(0).object().path("kind").asText().equals("PipelineRun");
    }

    private static boolean isSuspended(JsonNode run) {
        JsonNode spec = run.path("spec");
        return spec.path("status").asText().equals(SUSPENDED_STATUS)
                || spec.path("suspend").asBoolean();
    }

    private static String succeededCondition(JsonNode run) {
        for (JsonNode condition : run.path("status").path("conditions")) {
            String status = condition.path("status").asText();
            switch (condition.path("type").asText()) {
                case "Succeeded" -> {
                    return status;
                }
                case "Complete", "Failed" -> {
                    if (status.equals("True")) {
                        return condition.path("type").asText().equals("Complete") ? "True" : "False";
                    }
                }
                default -> {
                    // Not about the end.
                }
            }
        }
        return "Unknown";
    }
}
