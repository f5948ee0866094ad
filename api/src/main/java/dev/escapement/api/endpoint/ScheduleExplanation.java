package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
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
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public ScheduleExplanation {
        rejected = rejected == null ? null : Copies.list(rejected);
        other = Copies.map(other);
    }

    /**
     * A candidate that was not chosen.
     *
     * @param by who gave the hint
     * @param rule the rule it was rejected by
     * @param why the rule in words
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Rejected(
            @Nullable String source,
            @Nullable String at,
            @Nullable String basis,
            @Nullable String by,
            @Nullable String rule,
            @Nullable String why,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public Rejected {
            other = Copies.map(other);
        }
    }

    /**
     * The time that another decision would have given.
     *
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Alternative(
            @Nullable String at,
            @Nullable String source,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public Alternative {
            other = Copies.map(other);
        }
    }
}
