package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who cleared a target, and why.
 *
 * @param clearedBy the person or program that cleared it
 * @param clearReason why the target may be tried again
 * @param clearedAt when it was cleared
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ClearanceRecord(
        @Nullable String clearedBy,
        @Nullable String clearReason,
        @Nullable String clearedAt,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public ClearanceRecord {
        other = Copies.map(other);
    }
}
