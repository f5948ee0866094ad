package dev.escapement.api.notification;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent, and where to.
 *
 * @param eventType the type of the transition, such as {@code WorkflowSkipped}, or {@code NotificationSummary}
 * @param severity {@code info}, {@code warning} or {@code critical}
 * @param subject one line
 * @param message the whole text, of several lines
 * @param context the values that the text is made of
 * @param channels the names of the channels
 * @param notBefore when the first attempt is made; absent to send it at once
 */
public record NotificationRequestSpec(
        @Nullable String eventType,
        @Nullable String severity,
        @Nullable String subject,
        @Nullable String message,
        @Nullable NotificationContext context,
        List<String> channels,
        @Nullable String notBefore,
        @Nullable RetryPolicy retryPolicy,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public NotificationRequestSpec {
        channels = Copies.list(channels);
    }

    /**
     * What a notification is about.
     *
     * @param workflowId absent for a clearance
     * @param targetResource canonical; absent in a summary of several targets
     * @param skipReason of a skipped execution
     * @param failureReason of a failed execution
     * @param conflictingWorkflow the execution that held the target
     * @param recentRemediation the ended execution that caused a skip
     * @param execution namespace and name
     * @param remediationId the remediation request that the execution belongs to
     * @param nextAllowedExecution from when the same request is admitted
     * @param clearedBy who cleared the target
     * @param count how many transitions a summary stands for
     * @param firstAt when the first of them happened
     * @param lastAt when the last of them happened
     * @param link the page of the execution or target
     */
    public record NotificationContext(
            @Nullable String workflowId,
            @Nullable String targetResource,
            @Nullable String skipReason,
            @Nullable String failureReason,
            @Nullable String conflictingWorkflow,
            @Nullable String recentRemediation,
            @Nullable String execution,
            @Nullable String remediationId,
            @Nullable String nextAllowedExecution,
            @Nullable String clearedBy,
            @Nullable Long count,
            @Nullable String firstAt,
            @Nullable String lastAt,
            @Nullable String link,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * When a failed delivery is retried.
     *
     * @param maxAttempts the number of attempts, the first one included
     * @param initialBackoffSeconds the delay after the first failed attempt
     * @param backoffMultiplier the growth from one delay to the next
     * @param maxBackoffSeconds the longest delay
     */
    public record RetryPolicy(
            @Nullable Long maxAttempts,
            @Nullable Long initialBackoffSeconds,
            @Nullable Double backoffMultiplier,
            @Nullable Long maxBackoffSeconds,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}
}
