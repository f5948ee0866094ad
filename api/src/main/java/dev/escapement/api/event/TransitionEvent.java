package dev.escapement.api.event;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One transition: a row of the journal, the annotation of a Kubernetes Event, and the data of a server-sent event.
 *
 * <p>Reads two forms of the reference to the execution: the object {@code execution}, which is also what is written,
 * and the fields {@code namespace}, {@code name} and {@code uid} beside the others, as Kubernetes Events of the first
 * release have them.
 *
 * @param execution absent if it is about a target only
 * @param reason empty if there is none
 */
public record TransitionEvent(
        @Nullable String type,
        @Nullable String at,
        @Nullable ExecutionReference execution,
        @Nullable String workflow,
        @Nullable String target,
        @Nullable String reason,
        @Nullable String message,
        Map<String, String> details,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    public TransitionEvent {
        if (execution == null && other.get("uid") instanceof String uid) {
            Map<String, Object> rest = new LinkedHashMap<>(other);
            rest.remove("uid");
            execution =
                    new ExecutionReference(text(rest.remove("namespace")), text(rest.remove("name")), uid, Map.of());
            other = rest;
        }
        details = Copies.map(details);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String text ? text : null;
    }

    /** Which execution an event is about. */
    public record ExecutionReference(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}
}
