package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who cleared a target, and why.
 *
 * @param clearReason why the target may be tried again
 */
public record ClearanceRecord(
        @Nullable String clearedBy,
        @Nullable String clearReason,
        @Nullable String clearedAt,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {}
