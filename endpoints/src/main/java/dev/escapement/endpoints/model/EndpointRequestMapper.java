package dev.escapement.endpoints.model;

import static dev.escapement.endpoints.model.EndpointMapper.given;
import static dev.escapement.endpoints.model.EndpointMapper.text;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.http.RequestHeaderRules;
import dev.escapement.endpoints.http.WebhookSigner;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Schedule;
import dev.escapement.storage.SecretText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maps the document of an endpoint that a user sends, and checks what its schema cannot express: URL, headers, key,
 * cron expression and bounds of times. Collects all problems. Used once.
 *
 * @param request without the fields that violate the schema; these are not checked again
 * @param before the endpoint as it is, if it is changed: its secrets stand where {@link Endpoint#HIDDEN} is sent, as
 *     long as scheme, host and port stay
 * @param allowList internal addresses that may be called; empty on a client, which leaves URL, headers and keys to the
 *     server. A host name is checked only at the call, by the addresses that it resolves to
 * @param problems what violates the schema, a line each
 */
public record EndpointRequestMapper(
        Endpoint request, Optional<EndpointDefinition> before, Optional<AllowList> allowList, List<String> problems) {

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(15);
    private static final int MAX_PATH_LENGTH = 100;
    private static final int MAX_RULE_LENGTH = 1000;

    /** Copies the problems, to add others. */
    public EndpointRequestMapper {
        problems = new ArrayList<>(problems);
    }

    /**
     * Returns the endpoint.
     *
     * @throws IllegalArgumentException with every problem, a line each
     */
    public DesiredEndpoint map() {
        Optional<String> movedFrom = allowList
                .flatMap(allowed -> parse(
                        "url", request.url(), url -> EndpointUrl.parse(url).requireAllowed(allowed)))
                .flatMap(this::findOtherOrigin);
        Optional<Baseline> baseline = readBaseline();
        Optional<Duration> min = parse("minInterval", request.minInterval(), DurationText::parse);
        Optional<Duration> max = parse("maxInterval", request.maxInterval(), EndpointRequestMapper::parseInterval);
        baseline.ifPresent(schedule -> attempt(
                min.isPresent() ? "minInterval" : "maxInterval",
                () -> Schedule.of("endpoint", schedule).withClamps(min, max)));
        Duration timeout = readTimeout();
        Map<String, String> headers = readHeaders(movedFrom);
        Optional<SecretText> signingKey = readSigningKey(movedFrom);
        Optional<RemediationPolicy> remediation = Optional.ofNullable(request.remediation())
                .flatMap(given -> parse("remediation.target", given.target(), Target::parse)
                        .map(target -> EndpointMapper.readRemediation(given, target)));
        Optional<Instant> pausedUntil = readPausedUntil();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        Method method = Method.valueOf(given(request.method()).orElse("GET").toUpperCase(Locale.ROOT));
        String body = request.body() instanceof String text ? text : "";
        EndpointDefinition definition = new EndpointDefinition(
                text(request.name()),
                text(request.description()),
                new CallRequest(text(request.url()), method, headers, body, timeout, signingKey),
                baseline.orElseThrow(),
                min,
                max,
                remediation);
        return new DesiredEndpoint(definition, pausedUntil);
    }

    /** Returns where the endpoint was called before, if the new URL has another scheme, host or port. */
    private Optional<String> findOtherOrigin(EndpointUrl url) {
        return before.map(old -> {
                    try {
                        return EndpointUrl.parse(old.call().url()).origin();
                    } catch (IllegalArgumentException refusedByLaterRule) {
                        return "an invalid URL";
                    }
                })
                .filter(origin -> !origin.equals(url.origin()));
    }

    /** Secrets belong to the host that they were given for: only a caller who knows them may send them elsewhere. */
    private void refuseKeptSecret(String field, String movedFrom) {
        add(
                field,
                "is %s: the stored value is for %s and is not sent to another scheme, host or port; give it again,"
                                .formatted(Endpoint.HIDDEN, movedFrom)
                        + " or remove it");
    }

    private Optional<Baseline> readBaseline() {
        Optional<Baseline> interval =
                parse("interval", request.interval(), text -> new FixedInterval(parseInterval(text)));
        ZoneId zone = parse("timeZone", request.timeZone(), EndpointRequestMapper::parseZone)
                .orElse(ZoneId.of("UTC"));
        Optional<Baseline> cron = parse("cron", request.cron(), text -> CronExpression.of(text, zone));
        return interval.or(() -> cron);
    }

    private static Duration parseInterval(String text) {
        return requireLongEnough(DurationText.parse(text));
    }

    /**
     * Checks how often an endpoint may be called.
     *
     * @throws IllegalArgumentException if the interval is shorter than a second
     */
    public static Duration requireLongEnough(Duration interval) {
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException("an interval of %s is too short: it must be at least %s"
                    .formatted(DurationText.format(interval), DurationText.format(MIN_INTERVAL)));
        }
        return interval;
    }

    private static ZoneId parseZone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "there is no time zone \"%s\": write one such as Europe/Berlin or UTC".formatted(text), unknown);
        }
    }

    private Duration readTimeout() {
        Duration timeout =
                parse("timeout", request.timeout(), DurationText::parse).orElse(DEFAULT_TIMEOUT);
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            String bounds = DurationText.format(MIN_TIMEOUT) + " to " + DurationText.format(MAX_TIMEOUT);
            add("timeout", "is " + DurationText.format(timeout) + ": it must be from " + bounds);
        }
        return timeout;
    }

    private Map<String, String> readHeaders(Optional<String> movedFrom) {
        Map<String, String> headers = new TreeMap<>(request.headers());
        headers.replaceAll((name, value) -> value.equals(Endpoint.HIDDEN)
                ? before.map(old -> old.call().headers().get(name)).orElse(value)
                : value);
        movedFrom.ifPresent(origin -> headers.forEach((name, value) -> {
            if (Endpoint.HIDDEN.equals(request.headers().get(name)) && !value.equals(Endpoint.HIDDEN)) {
                refuseKeptSecret("headers." + name, origin);
            }
        }));
        Set<String> names = new HashSet<>();
        headers.forEach((name, value) -> {
            String field = "headers." + name;
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                add(field, "is given twice: upper and lower case make no difference");
            }
            if (allowList.isPresent() && value.equals(Endpoint.HIDDEN)) {
                add(field, "is " + Endpoint.HIDDEN + ": there is no such header yet, so give its value");
            }
            if (allowList.isPresent()) {
                attempt(field, () -> {
                    RequestHeaderRules.check(Map.of(name, value));
                    return name;
                });
            }
        });
        return headers;
    }

    private Optional<SecretText> readSigningKey(Optional<String> movedFrom) {
        Optional<SecretText> key = given(request.signingKey()).map(SecretText::of);
        if (allowList.isEmpty()) {
            return key;
        }
        if (Endpoint.HIDDEN.equals(request.signingKey())) {
            Optional<SecretText> kept = before.flatMap(old -> old.call().signingKey());
            if (kept.isEmpty()) {
                add("signingKey", "is " + Endpoint.HIDDEN + ": there is no key yet, so give its value");
            } else {
                movedFrom.ifPresent(origin -> refuseKeptSecret("signingKey", origin));
            }
            return kept;
        }
        key.ifPresent(secret -> attempt("signingKey", () -> WebhookSigner.withKey(secret)));
        return key;
    }

    private Optional<Instant> readPausedUntil() {
        Optional<Instant> until = parse("pausedUntil", request.pausedUntil(), Instant::parse);
        until.filter(time -> time.isBefore(Instant.EPOCH) || time.isAfter(EndpointPause.INDEFINITE_END))
                .ifPresent(time -> add(
                        "pausedUntil",
                        "is %s: it must be from %s to %s, which stands for until it is resumed"
                                .formatted(time, Instant.EPOCH, EndpointPause.INDEFINITE_END)));
        return until;
    }

    private <T> Optional<T> parse(String field, @Nullable String text, Function<String, ? extends T> parser) {
        return given(text).flatMap(value -> attempt(field, () -> parser.apply(value)));
    }

    private <T> Optional<T> attempt(String field, Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException | DateTimeException invalid) {
            // The rules of calls name the field themselves.
            String rule = String.valueOf(invalid.getMessage()).replaceFirst("^(url|headers|signingKey): ", "");
            add(field, "is refused: " + SafeText.sanitize(rule, MAX_RULE_LENGTH));
            return Optional.empty();
        }
    }

    private void add(String field, String problem) {
        problems.add(SafeText.sanitize(field, MAX_PATH_LENGTH) + " " + problem);
    }
}
