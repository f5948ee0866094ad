package dev.escapement.endpoints.model;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.Json;
import dev.escapement.endpoints.http.CallRequest.Method;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads what people write of an endpoint. Everything that is wrong is said at once, each with its field. */
public final class EndpointDocumentReader {

    /** Stands for a value that is not shown; where it is sent back, the value stays what it is. */
    public static final String HIDDEN = "(hidden)";

    private static final String[] FIELDS = {
        "name",
        "description",
        "url",
        "method",
        "headers",
        "body",
        "timeout",
        "interval",
        "cron",
        "timeZone",
        "minInterval",
        "maxInterval",
        "pausedUntil",
        "signingKey",
        "remediation"
    };

    private static final String[] REMEDIATION_FIELDS = Stream.concat(
                    Stream.of("after", "workflow", "target", "namespace", "parameters"),
                    Stream.of(ClusterRunOptions.FIELDS))
            .toArray(String[]::new);

    /** What the server adds when it shows an endpoint: whoever sends back what was shown is not told off for it. */
    private static final List<String> READ_ONLY_FIELDS = List.of("id", "createdAt", "revision", "hints", "status");

    private static final String NAME_PATTERN = "[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?";
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(15);
    private static final int MAX_BODY_LENGTH = 256 << 10;
    private static final int MAX_HEADERS_LENGTH = 16 << 10;
    private static final int MAX_TEXT_LENGTH = 1_000;
    private static final int MAX_FAILURES = 1_000;

    private final EndpointValidator validator;

    /** @param rules for URLs and headers */
    public EndpointDocumentReader(EndpointValidator rules) {
        this.validator = rules;
    }

    /**
     * The endpoint as a caller wants it to be.
     *
     * @param definition what it is
     * @param pausedUntil from when on it runs; empty for at once
     */
    public record DesiredEndpoint(EndpointDefinition definition, Optional<Instant> pausedUntil) {}

    /**
     * Reads a document.
     *
     * @param before the endpoint as it is, if it is being changed: its secrets stand where {@link #HIDDEN} is sent
     * @throws IllegalArgumentException with every problem, a line each
     */
    public DesiredEndpoint read(Map<String, ?> document, Optional<EndpointDefinition> before) {
        List<String> problems = new ArrayList<>();
        Map<String, Object> given = new TreeMap<>(document);
        READ_ONLY_FIELDS.forEach(given::remove);
        given.computeIfPresent("body", (key, body) -> body instanceof String ? body : toJson(body));
        DocumentFields fields = DocumentFields.root(given, problems)
                .only(FIELDS)
                .shorterThan(MAX_BODY_LENGTH, "body")
                .shorterThan(MAX_TEXT_LENGTH, "description")
                .mapShorterThan(MAX_HEADERS_LENGTH, "headers");
        Method method = readMethod(fields);
        if (method == Method.GET && fields.has("body") && !fields.text("body").isEmpty()) {
            fields.problem("body", "is given and the method is GET: use POST, PUT or PATCH, or leave the body out");
        }
        String name = fields.requiredText("name", "an endpoint is known by its name");
        if (!name.isBlank() && !name.matches(NAME_PATTERN)) {
            fields.problem(
                    "name",
                    "is refused: up to 128 letters, digits, dots, dashes and underscores,"
                            + " with a letter or digit at both ends");
        }
        String url = fields.requiredText("url", "say whom to call");
        checkField(fields, "url", url, validator::checkUrl);
        Optional<Baseline> baseline = readBaseline(fields);
        if (baseline.isEmpty() && problems.isEmpty()) {
            fields.problem(fields.has("cron") ? "cron" : "interval", "is empty: it says how often the endpoint runs");
        }
        Optional<Duration> min = fields.parse("minInterval", DurationText::parse);
        Optional<Duration> max = fields.parse("maxInterval", DurationText::parse);
        baseline.ifPresent(beat -> checkClamps(fields, beat, min, max));
        Duration timeout = readTimeout(fields);
        Map<String, String> headers = readHeaders(fields, before);
        Optional<SecretText> signingKey = readSigningKey(fields, before);
        Optional<RemediationPolicy> remediation = readRemediation(fields);
        Optional<Instant> pausedUntil = readPausedUntil(fields);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        EndpointDefinition definition = new EndpointDefinition(
                name,
                fields.text("description"),
                url,
                method,
                headers,
                fields.text("body"),
                timeout,
                signingKey,
                baseline.orElseThrow(),
                min,
                max,
                remediation);
        return new DesiredEndpoint(definition, pausedUntil);
    }

    private static String toJson(Object body) {
        String wrapped = Json.write(Map.of("b", body));
        return wrapped.substring("{\"b\":".length(), wrapped.length() - 1);
    }

    private static Method readMethod(DocumentFields fields) {
        String text = fields.optionalText("method").orElse("GET").toUpperCase(Locale.ROOT);
        try {
            return Method.valueOf(text);
        } catch (IllegalArgumentException unknown) {
            fields.problem("method", "is refused: it must be one of " + Arrays.toString(Method.values()));
            return Method.GET;
        }
    }

    private static Optional<Baseline> readBaseline(DocumentFields fields) {
        if (fields.has("interval") == fields.has("cron")) {
            fields.problem(
                    "interval",
                    "or cron: exactly one of them says how often it runs, such as interval: 5m or cron: \"0 3 * * *\"");
            return Optional.empty();
        }
        if (fields.has("interval")) {
            if (fields.has("timeZone")) {
                fields.problem("timeZone", "goes with cron: an interval needs none");
            }
            return fields.parse("interval", text -> new FixedInterval(DurationText.parse(text)));
        }
        ZoneId zone =
                fields.parse("timeZone", EndpointDocumentReader::parseZone).orElse(ZoneId.of("UTC"));
        return fields.parse("cron", text -> CronExpression.of(text, zone));
    }

    private static ZoneId parseZone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "there is no time zone \"%s\": write one such as Europe/Berlin or UTC".formatted(text), unknown);
        }
    }

    private static void checkClamps(
            DocumentFields fields, Baseline baseline, Optional<Duration> min, Optional<Duration> max) {
        try {
            Schedule clamped = Schedule.of("endpoint", baseline).withClamps(min, max);
            assert clamped.minInterval().equals(min);
        } catch (IllegalArgumentException refused) {
            fields.problem(min.isPresent() ? "minInterval" : "maxInterval", "is refused: " + refused.getMessage());
        }
    }

    private static Duration readTimeout(DocumentFields fields) {
        Duration timeout = fields.parse("timeout", DurationText::parse).orElse(Duration.ofSeconds(30));
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            fields.problem(
                    "timeout",
                    "is %s: it must be from %s to %s"
                            .formatted(
                                    DurationText.format(timeout),
                                    DurationText.format(MIN_TIMEOUT),
                                    DurationText.format(MAX_TIMEOUT)));
        }
        return timeout;
    }

    private Map<String, String> readHeaders(DocumentFields fields, Optional<EndpointDefinition> before) {
        Map<String, String> headers = new TreeMap<>(fields.texts("headers"));
        headers.replaceAll((name, value) -> value.equals(HIDDEN)
                ? before.map(old -> old.headers().get(name)).orElse(value)
                : value);
        Set<String> names = new HashSet<>();
        headers.forEach((name, value) -> {
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                fields.problem("headers." + name, "is given twice: upper and lower case make no difference");
            }
            if (value.equals(HIDDEN)) {
                fields.problem("headers." + name, "is " + HIDDEN + ": there is no such header yet, so give its value");
            }
            checkField(fields, "headers." + name, value, text -> validator.checkHeader(name, text));
        });
        return headers;
    }

    private Optional<SecretText> readSigningKey(DocumentFields fields, Optional<EndpointDefinition> before) {
        Optional<String> given = fields.optionalText("signingKey");
        if (given.filter(HIDDEN::equals).isPresent()) {
            Optional<SecretText> kept = before.flatMap(EndpointDefinition::signingKey);
            if (kept.isEmpty()) {
                fields.problem("signingKey", "is " + HIDDEN + ": there is no key yet, so give its value");
            }
            return kept;
        }
        given.ifPresent(key -> checkField(fields, "signingKey", key, validator::checkSigningKey));
        return given.map(SecretText::of);
    }

    private static Optional<Instant> readPausedUntil(DocumentFields fields) {
        Optional<Instant> until = fields.instant("pausedUntil");
        until.filter(time -> time.isBefore(Instant.EPOCH) || time.isAfter(EndpointPause.INDEFINITE_END))
                .ifPresent(time -> fields.problem(
                        "pausedUntil",
                        "is %s: it must be from %s to %s, which stands for until it is resumed"
                                .formatted(time, Instant.EPOCH, EndpointPause.INDEFINITE_END)));
        return until;
    }

    private static Optional<RemediationPolicy> readRemediation(DocumentFields fields) {
        return fields.optionalObject("remediation").flatMap(given -> {
            given.only(REMEDIATION_FIELDS).shorterThan(MAX_TEXT_LENGTH, ClusterRunOptions.FIELDS);
            long after = given.whole("after").orElse(3L);
            if (after < 1 || after > MAX_FAILURES) {
                given.problem(
                        "after", "is %d: it must be from 1 to %d failures in a row".formatted(after, MAX_FAILURES));
            }
            String workflow = given.requiredText("workflow", "say what to run");
            given.requiredText("target", "say what to run it on, such as node/worker-1");
            Optional<Target> target = given.parse("target", Target::parse);
            return target.map(on -> new RemediationPolicy(
                    (int) Math.max(1, Math.min(after, MAX_FAILURES)),
                    given.optionalText("namespace").orElse("default"),
                    workflow,
                    on,
                    given.texts("parameters"),
                    ClusterRunOptions.read(given)));
        });
    }

    private interface FieldCheck {
        void check(String text);
    }

    private static void checkField(DocumentFields fields, String key, String text, FieldCheck check) {
        try {
            check.check(text);
        } catch (IllegalArgumentException refused) {
            fields.problem(key, "is refused: " + refused.getMessage());
        }
    }
}
