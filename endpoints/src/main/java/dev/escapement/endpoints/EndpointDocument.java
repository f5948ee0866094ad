package dev.escapement.endpoints;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.call.Call.Method;
import dev.escapement.engine.document.DocumentFields;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Schedule;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.jdbc.DocumentJson;
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
public final class EndpointDocument {

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
                    Stream.of("after", "workflow", "target", "namespace", "parameters"), Stream.of(ClusterRun.FIELDS))
            .toArray(String[]::new);

    /** What the server adds when it shows an endpoint: whoever sends back what was shown is not told off for it. */
    private static final List<String> READ_ONLY = List.of("id", "createdAt", "revision", "hints", "status");

    private static final String NAME = "[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?";
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(15);
    private static final int LONGEST_BODY = 256 << 10;
    private static final int LONGEST_HEADERS = 16 << 10;
    private static final int LONGEST_TEXT = 1_000;
    private static final int MOST_FAILURES = 1_000;

    private final EndpointRules rules;

    /** @param rules for URLs and headers */
    public EndpointDocument(EndpointRules rules) {
        this.rules = rules;
    }

    /**
     * What somebody wants an endpoint to be.
     *
     * @param definition what it is
     * @param pausedUntil from when on it runs; empty for at once
     */
    public record Wanted(Definition definition, Optional<Instant> pausedUntil) {}

    /**
     * Reads a document.
     *
     * @param before the endpoint as it is, if it is being changed: its secrets stand where {@link #HIDDEN} is sent
     * @throws IllegalArgumentException with every problem, a line each
     */
    public Wanted read(Map<String, ?> document, Optional<Definition> before) {
        List<String> problems = new ArrayList<>();
        Map<String, Object> given = new TreeMap<>(document);
        READ_ONLY.forEach(given::remove);
        given.computeIfPresent("body", (key, body) -> body instanceof String ? body : json(body));
        DocumentFields fields = DocumentFields.root(given, problems)
                .only(FIELDS)
                .shorterThan(LONGEST_BODY, "body")
                .shorterThan(LONGEST_TEXT, "description")
                .mapShorterThan(LONGEST_HEADERS, "headers");
        Method method = method(fields);
        if (method == Method.GET && fields.has("body") && !fields.text("body").isEmpty()) {
            fields.problem("body", "is given and the method is GET: use POST, PUT or PATCH, or leave the body out");
        }
        String name = fields.requiredText("name", "an endpoint is known by its name");
        if (!name.isBlank() && !name.matches(NAME)) {
            fields.problem(
                    "name",
                    "is refused: up to 128 letters, digits, dots, dashes and underscores,"
                            + " with a letter or digit at both ends");
        }
        String url = fields.requiredText("url", "say whom to call");
        checked(fields, "url", url, rules::checkUrl);
        Optional<Baseline> baseline = baseline(fields);
        Optional<Duration> min = fields.parse("minInterval", DurationText::parse);
        Optional<Duration> max = fields.parse("maxInterval", DurationText::parse);
        baseline.ifPresent(beat -> clamps(fields, beat, min, max));
        Duration timeout = timeout(fields);
        Map<String, String> headers = headers(fields, before);
        Optional<SecretText> signingKey = signingKey(fields, before);
        Optional<Remediation> remediation = remediation(fields);
        Optional<Instant> pausedUntil = pausedUntil(fields);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        Definition definition = new Definition(
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
        return new Wanted(definition, pausedUntil);
    }

    private static String json(Object body) {
        String wrapped = DocumentJson.write(Map.of("b", body));
        return wrapped.substring("{\"b\":".length(), wrapped.length() - 1);
    }

    private static Method method(DocumentFields fields) {
        String text = fields.optionalText("method").orElse("GET").toUpperCase(Locale.ROOT);
        try {
            return Method.valueOf(text);
        } catch (IllegalArgumentException unknown) {
            fields.problem("method", "is refused: it must be one of " + Arrays.toString(Method.values()));
            return Method.GET;
        }
    }

    private static Optional<Baseline> baseline(DocumentFields fields) {
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
        ZoneId zone = fields.parse("timeZone", EndpointDocument::zone).orElse(ZoneId.of("UTC"));
        return fields.parse("cron", text -> CronExpression.of(text, zone));
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "there is no time zone \"%s\": write one such as Europe/Berlin or UTC".formatted(text), unknown);
        }
    }

    private static void clamps(
            DocumentFields fields, Baseline baseline, Optional<Duration> min, Optional<Duration> max) {
        try {
            Schedule clamped = Schedule.of("endpoint", baseline).withClamps(min, max);
            assert clamped.minInterval().equals(min);
        } catch (IllegalArgumentException refused) {
            fields.problem(min.isPresent() ? "minInterval" : "maxInterval", "is refused: " + refused.getMessage());
        }
    }

    private static Duration timeout(DocumentFields fields) {
        Duration timeout = fields.parse("timeout", DurationText::parse).orElse(Duration.ofSeconds(30));
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            fields.problem(
                    "timeout",
                    "is %s: it must be from %s to %s"
                            .formatted(
                                    DurationText.format(timeout),
                                    DurationText.format(SHORTEST_TIMEOUT),
                                    DurationText.format(LONGEST_TIMEOUT)));
        }
        return timeout;
    }

    private Map<String, String> headers(DocumentFields fields, Optional<Definition> before) {
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
            checked(fields, "headers." + name, value, text -> rules.checkHeader(name, text));
        });
        return headers;
    }

    private Optional<SecretText> signingKey(DocumentFields fields, Optional<Definition> before) {
        Optional<String> given = fields.optionalText("signingKey");
        if (given.filter(HIDDEN::equals).isPresent()) {
            Optional<SecretText> kept = before.flatMap(Definition::signingKey);
            if (kept.isEmpty()) {
                fields.problem("signingKey", "is " + HIDDEN + ": there is no key yet, so give its value");
            }
            return kept;
        }
        given.ifPresent(key -> checked(fields, "signingKey", key, rules::checkSigningKey));
        return given.map(SecretText::of);
    }

    private static Optional<Instant> pausedUntil(DocumentFields fields) {
        Optional<Instant> until = fields.instant("pausedUntil");
        until.filter(time -> time.isBefore(Instant.EPOCH) || time.isAfter(Endpoints.FOR_GOOD))
                .ifPresent(time -> fields.problem(
                        "pausedUntil",
                        "is %s: it must be from %s to %s, which stands for until somebody resumes it"
                                .formatted(time, Instant.EPOCH, Endpoints.FOR_GOOD)));
        return until;
    }

    private static Optional<Remediation> remediation(DocumentFields fields) {
        return fields.optionalObject("remediation").flatMap(given -> {
            given.only(REMEDIATION_FIELDS).shorterThan(LONGEST_TEXT, ClusterRun.FIELDS);
            long after = given.whole("after").orElse(3L);
            if (after < 1 || after > MOST_FAILURES) {
                given.problem(
                        "after", "is %d: it must be from 1 to %d failures in a row".formatted(after, MOST_FAILURES));
            }
            String workflow = given.requiredText("workflow", "say what to run");
            given.requiredText("target", "say what to run it on, such as node/worker-1");
            Optional<Target> target = given.parse("target", Target::parse);
            return target.map(on -> new Remediation(
                    (int) Math.max(1, Math.min(after, MOST_FAILURES)),
                    given.optionalText("namespace").orElse("default"),
                    workflow,
                    on,
                    given.texts("parameters"),
                    ClusterRun.read(given)));
        });
    }

    private interface Check {
        void of(String text);
    }

    private static void checked(DocumentFields fields, String key, String text, Check check) {
        try {
            check.of(text);
        } catch (IllegalArgumentException refused) {
            fields.problem(key, "is refused: " + refused.getMessage());
        }
    }
}
