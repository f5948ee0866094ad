package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
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
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    /** Stands for a secret value that is not shown; where it is sent back, the value stays. */
    public static final String HIDDEN = "(hidden)";

    public Endpoint {
        headers = Copies.map(headers);
        hints = Copies.list(hints);
        other = Copies.map(other);
    }

    /** Leaves out what may be secret: headers, body and signing key. */
    @Override
    public String toString() {
        return "Endpoint[name=%s, method=%s]".formatted(name, method);
    }
}
