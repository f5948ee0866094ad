package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a workflow would run on a target now, and if not, why and until when.
 *
 * @param target in canonical form
 * @param reason a code; absent if it is admitted
 * @param allowedAt when it would be admitted; absent if time alone does not suffice
 * @param waitsUntil when its wait would end; absent if it would not wait
 * @param waitsBehind how many executions wait for the target longer; absent if it would not wait
 */
public record Explanation(
        @Nullable String workflow,
        @Nullable String target,
        @Nullable Boolean admitted,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String allowedAt,
        @Nullable String change,
        @Nullable String waitsUntil,
        @Nullable Long waitsBehind,
        List<Check> checks,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    public Explanation {
        checks = Copies.list(checks);
    }

    /**
     * One check of the gate.
     *
     * @param until when the objection ends by itself
     */
    public record Check(
            @Nullable String check,
            @Nullable String question,
            @Nullable String looksAt,
            @Nullable Boolean objection,
            @Nullable String until,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}
}
