package dev.escapement.api.audit;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying one part of the audit trail.
 *
 * @param verified how many entries the part had
 * @param sequence of its last entry: the next part starts after it
 * @param hash of its last entry
 * @param head the number of the newest entry of the trail
 * @param finished whether this was the last part
 * @param problemCount how many problems were found, also those that are not listed
 */
public record AuditVerification(
        @Nullable Long verified,
        @Nullable Long sequence,
        @Nullable String hash,
        @Nullable Long head,
        @Nullable Boolean finished,
        @Nullable Long problemCount,
        List<Problem> problems,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    public AuditVerification {
        problems = Copies.list(problems);
    }

    /**
     * A place where the trail is not as it was written.
     *
     * @param sequence of the first entry that it is about
     */
    public record Problem(
            @Nullable Long sequence,
            @Nullable String kind,
            @Nullable String message,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}
}
