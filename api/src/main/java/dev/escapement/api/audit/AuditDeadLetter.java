package dev.escapement.api.audit;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.api.ExplicitRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An audit record that the sink refused.
 *
 * @param sequence the number of its entry in the trail
 * @param status of HTTP
 * @param replayRequested whether it is to be sent again
 */
public record AuditDeadLetter(
        @Nullable Long sequence,
        @Nullable Long status,
        @Nullable String error,
        @JsonProperty("refused_at") @Nullable String refusedAt,
        @JsonProperty("replay_requested") @Nullable Boolean replayRequested,
        @Nullable AuditRecord record,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {}
