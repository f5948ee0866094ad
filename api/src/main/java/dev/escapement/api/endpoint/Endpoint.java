package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled endpoint: a URL that is called by an interval or a cron expression.
 *
 * <p>The fields up to {@code pausedUntil} are those that people write. The server adds {@code id}, {@code createdAt},
 * {@code revision}, {@code hints} and {@code status} when it shows an endpoint. The fields {@code pause},
 * {@code runRequest} and {@code archived} are only in the database. Durations are strings such as {@code 5m}.
 *
 * @param name unique among the endpoints that are not archived
 * @param url http or https
 * @param method {@code GET}, {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
 * @param headers secret values are shown as {@link #HIDDEN}
 * @param body a string, or an object or list that is sent as JSON
 * @param timeout for the whole call
 * @param signingKey signs the calls; shown as {@link #HIDDEN}
 * @param interval either this
 * @param cron or this
 * @param timeZone of the cron expression
 * @param minInterval the shortest time between runs
 * @param maxInterval the longest time between runs
 * @param remediation the workflow to request after failures
 * @param pausedUntil no run before this time
 * @param pause stored only: who paused it and why
 * @param revision grows with every change by people
 * @param runRequest stored only: the last request for a run at once
 * @param archived stored only
 */
public record Endpoint(
        @Nullable String name,
        @Nullable String description,
        @Nullable String url,
        @Nullable String method,
        Map<String, String> headers,
        @Nullable Object body,
        @Nullable String timeout,
        @Nullable String signingKey,
        @Nullable String interval,
        @Nullable String cron,
        @Nullable String timeZone,
        @Nullable String minInterval,
        @Nullable String maxInterval,
        @Nullable EndpointRemediation remediation,
        @Nullable String pausedUntil,
        @Nullable AttributedTime pause,
        @Nullable String id,
        @Nullable String createdAt,
        @Nullable Long revision,
        List<EndpointHint> hints,
        @Nullable AttributedTime runRequest,
        @Nullable Boolean archived,
        @Nullable EndpointStatus status,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    /** Stands for a secret value that is not shown; where it is sent back, the value stays. */
    public static final String HIDDEN = "(hidden)";

    public Endpoint {
        headers = Copies.map(headers);
        hints = Copies.list(hints);
    }

    /** Leaves out what may be secret: headers, body and signing key. */
    @Override
    public String toString() {
        return "Endpoint[name=%s, method=%s]".formatted(name, method);
    }

    /**
     * A time that somebody chose, with name and reason: a pause or a request for a run.
     *
     * @param at when the run was requested
     * @param until when the pause ends
     * @param by who
     * @param reason why
     */
    public record AttributedTime(
            @Nullable String at,
            @Nullable String until,
            @Nullable String by,
            @Nullable String reason,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /**
     * A temporary wish for the schedule of an endpoint.
     *
     * @param interval an interval hint: run this often
     * @param at a one-shot hint: run once at this time
     * @param by who gave it
     * @param state {@code ACTIVE}, {@code ANSWERED} or {@code EXPIRED}; not stored
     */
    public record EndpointHint(
            @Nullable String interval,
            @Nullable String at,
            @Nullable String givenAt,
            @Nullable String expiresAt,
            @Nullable String by,
            @Nullable String reason,
            @Nullable String state,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /**
     * The workflow that an endpoint requests after failures.
     *
     * @param after how many failures in a row
     * @param workflow the id of the workflow
     * @param target what it acts on
     * @param namespace the namespace of the execution
     * @param containerImage on a cluster: the Tekton bundle, or the image of the Job
     * @param containerDigest on a cluster: pins the image
     * @param engine on a cluster: {@code tekton} or {@code job}
     * @param serviceAccountName on a cluster: the service account of the run
     */
    public record EndpointRemediation(
            @Nullable Integer after,
            @Nullable String workflow,
            @Nullable String target,
            @Nullable String namespace,
            Map<String, String> parameters,
            @Nullable String containerImage,
            @Nullable String containerDigest,
            @Nullable String engine,
            @Nullable String serviceAccountName,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {

        public EndpointRemediation {
            parameters = Copies.map(parameters);
        }
    }
}
