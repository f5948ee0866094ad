package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What decided the time of a run, and which candidates were rejected. A run that nothing had to be decided for has only
 * {@code source} and {@code explanation}.
 *
 * @param source the kind of candidate that was chosen
 * @param basis how it was computed
 * @param by who gave the hint that decided it
 * @param clamp the bound that moved it
 * @param clampedFrom the time before it was moved
 * @param rejected the other candidates; null, unlike other lists, if nothing was decided
 * @param withoutHints what would have happened without hints
 * @param explanation a sentence per line
 */
public record ScheduleExplanation(
        @Nullable String at,
        @Nullable String source,
        @Nullable String basis,
        @Nullable String by,
        @Nullable String clamp,
        @Nullable String clampedFrom,
        @Nullable List<Rejected> rejected,
        @Nullable Alternative withoutHints,
        @Nullable String explanation,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    public ScheduleExplanation {
        rejected = rejected == null ? null : Copies.list(rejected);
    }

    /**
     * A candidate that was not chosen.
     *
     * @param by who gave the hint
     * @param rule the rule it was rejected by
     * @param why the rule in words
     */
    public record Rejected(
            @Nullable String source,
            @Nullable String at,
            @Nullable String basis,
            @Nullable String by,
            @Nullable String rule,
            @Nullable String why,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /** The time that another decision would have given. */
    public record Alternative(
            @Nullable String at,
            @Nullable String source,
            @JsonAnySetter Map<String, Object> other) implements ExplicitRecord {}
}
