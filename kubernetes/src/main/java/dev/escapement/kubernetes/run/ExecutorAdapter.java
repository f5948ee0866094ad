package dev.escapement.kubernetes.run;

import dev.escapement.common.Json;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What an executor knows about its objects; {@link KubernetesObjectRunner} does the rest. */
public interface ExecutorAdapter<T extends HasMetadata> {

    /** An immutable JSON Patch: all its operations are applied together, and none if a test fails. */
    record JsonPatch(List<Map<String, Object>> operations) {

        /** Returns a patch that is applied only to the object with this uid, not to another one of the same name. */
        public static JsonPatch of(String uid) {
            return new JsonPatch(List.of()).test("/metadata/uid", uid);
        }

        /** Adds a condition: the patch is applied only if this is the value. */
        public JsonPatch test(String path, Object value) {
            return append(Map.of("op", "test", "path", path, "value", value));
        }

        /** Sets a value, whether it exists or not. */
        public JsonPatch set(String path, Object value) {
            return append(Map.of("op", "add", "path", path, "value", value));
        }

        public JsonPatch remove(String path) {
            return append(Map.of("op", "remove", "path", path));
        }

        /** Sets an annotation. The object must already have annotations. */
        public JsonPatch annotate(String key, String value) {
            return set("/metadata/annotations/" + key.replace("~", "~0").replace("/", "~1"), value);
        }

        public String toJson() {
            return Json.write(operations);
        }

        private JsonPatch append(Map<String, Object> operation) {
            return new JsonPatch(
                    Stream.concat(operations.stream(), Stream.of(operation)).toList());
        }
    }

    Class<T> type();

    default String kindName() {
        return HasMetadata.getKind(type());
    }

    /** Returns the prefix of the run reference, such as {@code job}. */
    default String prefix() {
        return kindName().toLowerCase(Locale.ROOT);
    }

    /** Returns what a workflow without an image lacks, and how to give it. */
    String missingImageMessage();

    /** Returns an error message if a parameter cannot be passed to the run. */
    default Optional<String> findInvalidParameter(ExecutionSpec spec) {
        return Optional.empty();
    }

    /** Returns the run of an execution, suspended; nothing is created. */
    T newRun(ExecutionSpec spec, ObjectMeta metadata);

    /** Returns the progress of a run that was just prepared; unknown if only the start shows how many tasks it has. */
    default RunProgress initialProgress() {
        return RunProgress.UNKNOWN;
    }

    /** Returns whether the run was neither started nor stopped. */
    boolean isSuspended(T run);

    boolean isFinished(T run);

    /**
     * Returns when the executor ends the run at the latest because of its timeout; empty if it has none, or if the
     * executor has not begun to count.
     */
    Optional<Instant> deadline(T run);

    /**
     * Returns when the executor ended the run without success, whether everything that it created has ended or not. If
     * the executor is away, the rest may never end by itself.
     */
    default Optional<Instant> failedAt(T run) {
        return Optional.empty();
    }

    /** Returns whether anything was ever created for the run, asking the API server. */
    boolean hasChildren(T run);

    /**
     * Returns whether the executor admits its objects by a webhook of its own. While that is away, the executor can
     * create nothing.
     */
    default boolean admitsByWebhook() {
        return false;
    }

    /** Adds the operations that start a suspended run. */
    JsonPatch startPatch(JsonPatch patch);

    /** Adds the operations that stop a started run, or prevent that it begins if the executor has not seen it. */
    JsonPatch stopPatch(JsonPatch patch);

    /** Returns the state of a run that is not suspended. */
    Observation observe(T run);
}
