package dev.escapement.endpoints.model;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.endpoint.Endpoint.AttributedTime;
import dev.escapement.api.endpoint.Endpoint.EndpointHint;
import dev.escapement.api.endpoint.Endpoint.EndpointRemediation;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.http.RequestHeaderRules;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointOverrides.RunNowRequest;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps endpoints to and from their document. The stored form has all that users gave, secrets included, and is read
 * without checks; the form that is shown has no secrets, and the status. {@link EndpointRequestMapper} maps requests.
 */
public final class EndpointMapper {

    private EndpointMapper() {}

    /** Returns the form for the database. */
    public static Endpoint toStored(EndpointDefinition definition, EndpointOverrides overrides) {
        return write(
                definition,
                overrides,
                definition.call().headers(),
                definition.call().signingKey().map(SecretText::reveal),
                overrides.hints().stream().map(hint -> writeHint(hint, null)).toList(),
                null,
                null);
    }

    /**
     * Returns the form for users.
     *
     * @param executionPhase phase of the last remediation's execution, if it was looked up
     */
    public static Endpoint toDocument(StoredEndpoint stored, Instant now, Optional<String> executionPhase) {
        ScheduledEndpoint endpoint = stored.endpoint();
        EndpointDefinition definition = endpoint.definition();
        return write(
                definition,
                endpoint.overrides(),
                hideSecrets(definition.call().headers()),
                definition.call().signingKey().map(key -> Endpoint.HIDDEN),
                endpoint.overrides().hints().stream()
                        .map(hint -> writeHint(hint, EndpointStatusMapper.stateOf(hint, endpoint.history(), now)))
                        .toList(),
                stored,
                EndpointStatusMapper.toStatus(stored, now, executionPhase));
    }

    /** Returns the form that a change is applied to: what users gave, without secrets. */
    public static Endpoint toEditable(EndpointDefinition definition, EndpointOverrides overrides) {
        return write(
                definition,
                overrides,
                hideSecrets(definition.call().headers()),
                definition.call().signingKey().map(key -> Endpoint.HIDDEN),
                List.of(),
                null,
                null);
    }

    private static Map<String, String> hideSecrets(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>(headers);
        shown.replaceAll((name, value) -> RequestHeaderRules.isSecret(name) ? Endpoint.HIDDEN : value);
        return shown;
    }

    /** @param shown null for the stored form, which has the overrides instead of the status */
    private static Endpoint write(
            EndpointDefinition definition,
            EndpointOverrides overrides,
            Map<String, String> headers,
            Optional<String> signingKey,
            List<EndpointHint> hints,
            @Nullable StoredEndpoint shown,
            @Nullable EndpointStatus status) {
        CronExpression cron = definition.baseline() instanceof CronExpression expression ? expression : null;
        FixedInterval interval = definition.baseline() instanceof FixedInterval fixed ? fixed : null;
        return new Endpoint(
                definition.name(),
                definition.description(),
                definition.call().url(),
                definition.call().method().name(),
                headers,
                definition.call().body(),
                DurationText.format(definition.call().timeout()),
                signingKey.orElse(null),
                interval == null ? null : DurationText.format(interval.every()),
                cron == null ? null : cron.expression(),
                cron == null ? null : cron.zone().getId(),
                definition.minInterval().map(DurationText::format).orElse(null),
                definition.maxInterval().map(DurationText::format).orElse(null),
                definition.remediation().map(EndpointMapper::writeRemediation).orElse(null),
                overrides.pausedUntil().map(Instant::toString).orElse(null),
                shown != null ? null : writePauseCause(overrides),
                shown == null ? null : shown.endpoint().id(),
                shown == null ? null : shown.endpoint().createdAt().toString(),
                shown == null ? null : shown.revision(),
                hints,
                shown != null ? null : writeRunRequest(overrides),
                shown != null ? null : overrides.archived(),
                status,
                Map.of());
    }

    private static @Nullable AttributedTime writePauseCause(EndpointOverrides overrides) {
        return overrides
                .pause()
                .filter(pause -> !pause.describeCause().isEmpty())
                .map(pause -> new AttributedTime(null, null, pause.author(), pause.reason(), Map.of()))
                .orElse(null);
    }

    static @Nullable AttributedTime writeRunRequest(EndpointOverrides overrides) {
        return overrides
                .runRequest()
                .map(request ->
                        new AttributedTime(request.at().toString(), null, request.author(), request.reason(), Map.of()))
                .orElse(null);
    }

    private static EndpointRemediation writeRemediation(RemediationPolicy policy) {
        ClusterRunOptions options = policy.clusterOptions();
        return new EndpointRemediation(
                policy.afterFailures(),
                policy.workflowId(),
                policy.target().canonical(),
                policy.namespace(),
                policy.parameters(),
                emptyToNull(options.containerImage()),
                emptyToNull(options.containerDigest()),
                emptyToNull(options.engine()),
                emptyToNull(options.serviceAccountName()),
                Map.of());
    }

    private static EndpointHint writeHint(Hint hint, @Nullable String state) {
        return new EndpointHint(
                hint instanceof IntervalHint interval ? DurationText.format(interval.every()) : null,
                hint instanceof OneShotHint once ? once.at().toString() : null,
                hint.givenAt().toString(),
                hint.expiresAt().toString(),
                hint.author(),
                hint.reason(),
                state,
                Map.of());
    }

    /**
     * Reads the definition of a stored endpoint.
     *
     * @throws IllegalArgumentException or {@link java.time.DateTimeException} if a value is unknown to this version
     */
    public static EndpointDefinition readDefinition(Endpoint stored) {
        return new EndpointDefinition(
                text(stored.name()),
                text(stored.description()),
                new CallRequest(
                        text(stored.url()),
                        Method.valueOf(text(stored.method())),
                        stored.headers(),
                        stored.body() instanceof String body ? body : "",
                        DurationText.parse(text(stored.timeout())),
                        given(stored.signingKey()).map(SecretText::of)),
                stored.cron() != null
                        ? CronExpression.of(stored.cron(), ZoneId.of(text(stored.timeZone())))
                        : new FixedInterval(DurationText.parse(text(stored.interval()))),
                given(stored.minInterval()).map(DurationText::parse),
                given(stored.maxInterval()).map(DurationText::parse),
                Optional.ofNullable(stored.remediation())
                        .map(remediation -> readRemediation(remediation, Target.parse(text(remediation.target())))));
    }

    /** Reads the overrides of a stored endpoint; throws as {@link #readDefinition}. */
    public static EndpointOverrides readOverrides(Endpoint stored) {
        Optional<AttributedTime> cause = Optional.ofNullable(stored.pause());
        return new EndpointOverrides(
                given(stored.pausedUntil())
                        .map(until -> new EndpointPause(
                                Instant.parse(until),
                                cause.map(AttributedTime::by).orElse(""),
                                cause.map(AttributedTime::reason).orElse(""))),
                stored.hints().stream().map(EndpointMapper::readHint).toList(),
                Optional.ofNullable(stored.runRequest())
                        .map(request -> new RunNowRequest(
                                Instant.parse(text(request.at())), text(request.by()), text(request.reason()))),
                Boolean.TRUE.equals(stored.archived()));
    }

    static RemediationPolicy readRemediation(EndpointRemediation document, Target target) {
        return new RemediationPolicy(
                Objects.requireNonNullElse(document.after(), RemediationPolicy.DEFAULT_AFTER_FAILURES),
                given(document.namespace()).orElse(RemediationPolicy.DEFAULT_NAMESPACE),
                text(document.workflow()),
                target,
                document.parameters(),
                new ClusterRunOptions(
                        text(document.containerImage()),
                        text(document.containerDigest()),
                        text(document.engine()),
                        text(document.serviceAccountName())));
    }

    private static Hint readHint(EndpointHint hint) {
        Instant givenAt = Instant.parse(text(hint.givenAt()));
        Instant expiresAt = Instant.parse(text(hint.expiresAt()));
        if (hint.interval() != null) {
            Duration every = DurationText.parse(hint.interval());
            return new IntervalHint(every, givenAt, expiresAt, text(hint.by()), text(hint.reason()));
        }
        Instant at = Instant.parse(text(hint.at()));
        return new OneShotHint(at, givenAt, expiresAt, text(hint.by()), text(hint.reason()));
    }

    static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }

    /** Returns a text of a document; an empty one counts as none. */
    static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static @Nullable String emptyToNull(String text) {
        return given(text).orElse(null);
    }
}
