package dev.escapement.api.event;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param type the name of the transition
 * @param at when it happened
 * @param execution absent if it is about a target only
 * @param reason empty if there is none
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TransitionEvent(
        @Nullable String type,
        @Nullable String at,
        @Nullable ExecutionReference execution,
        @Nullable String workflow,
        @Nullable String target,
        @Nullable String reason,
        @Nullable String message,
        Map<String, String> details,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public TransitionEvent {
        if (execution == null && other != null && other.get("uid") instanceof String uid) {
            Map<String, Object> rest = new LinkedHashMap<>(other);
            rest.remove("uid");
            execution =
                    new ExecutionReference(text(rest.remove("namespace")), text(rest.remove("name")), uid, Map.of());
            other = rest;
        }
        details = Copies.map(details);
        other = Copies.map(other);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String text ? text : null;
    }
}
