package dev.escapement.endpoints.model;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people say of an endpoint, as it is kept: lossless, and not checked again. */
public final class StoredEndpointCodec {

    /** Who paused it and why; until when is a field that people write themselves. */
    private static final String PAUSE_FIELD = "pause";

    /** What is kept beside the fields that people write. */
    public static final List<String> INTERNAL_FIELDS = List.of("hints", "runRequest", "archived", PAUSE_FIELD);

    private StoredEndpointCodec() {}

    /** Everything, secrets included: for the database and nobody else. */
    public static Map<String, Object> write(EndpointDefinition definition, EndpointOverrides steering) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", definition.name());
        document.put("description", definition.description());
        document.put("url", definition.url());
        document.put("method", definition.method().name());
        document.put("headers", definition.headers());
        document.put("body", definition.body());
        document.put("timeout", DurationText.format(definition.timeout()));
        definition.signingKey().ifPresent(key -> document.put("signingKey", key.reveal()));
        if (definition.baseline() instanceof CronExpression cron) {
            document.put("cron", cron.expression());
            document.put("timeZone", cron.zone().getId());
        } else {
            document.put("interval", DurationText.format(((FixedInterval) definition.baseline()).every()));
        }
        definition.minInterval().ifPresent(min -> document.put("minInterval", DurationText.format(min)));
        definition.maxInterval().ifPresent(max -> document.put("maxInterval", DurationText.format(max)));
        definition.remediation().ifPresent(remediation -> document.put("remediation", remediation(remediation)));
        steering.pause().ifPresent(pause -> pause(document, pause));
        document.put(
                "hints",
                steering.hints().stream().map(StoredEndpointCodec::hint).toList());
        steering.runRequest().ifPresent(wish -> document.put("runRequest", writeRunRequest(wish)));
        document.put("archived", steering.archived());
        return document;
    }

    private static void pause(Map<String, Object> document, EndpointPause pause) {
        document.put("pausedUntil", pause.until().toString());
        if (!pause.describeCause().isEmpty()) {
            document.put(PAUSE_FIELD, Map.of("by", pause.author(), "reason", pause.reason()));
        }
    }

    private static EndpointPause pause(Instant until, DocumentFields fields) {
        return fields.optionalObject(PAUSE_FIELD)
                .map(pause -> new EndpointPause(until, pause.text("by"), pause.text("reason")))
                .orElseGet(() -> EndpointPause.endingAt(until));
    }

    static Map<String, Object> remediation(RemediationPolicy remediation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("after", remediation.afterFailures());
        document.put("workflow", remediation.workflowId());
        document.put("target", remediation.target().canonical());
        document.put("namespace", remediation.namespace());
        document.put("parameters", remediation.parameters());
        remediation.clusterOptions().writeTo(document);
        return document;
    }

    static Map<String, Object> hint(Hint hint) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (hint instanceof IntervalHint interval) {
            document.put("interval", DurationText.format(interval.every()));
        } else {
            document.put("at", ((OneShotHint) hint).at().toString());
        }
        document.put("givenAt", hint.givenAt().toString());
        document.put("expiresAt", hint.expiresAt().toString());
        document.put("by", hint.author());
        document.put("reason", hint.reason());
        return document;
    }

    private static Map<String, Object> writeRunRequest(RunNowRequest wish) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("at", wish.at().toString());
        document.put("by", wish.author());
        document.put("reason", wish.reason());
        return document;
    }

    /** What the endpoint is. */
    public static EndpointDefinition readDefinition(Map<String, ?> document) {
        DocumentFields fields = toFields(document);
        return new EndpointDefinition(
                fields.text("name"),
                fields.text("description"),
                fields.text("url"),
                Method.valueOf(fields.text("method")),
                fields.texts("headers"),
                fields.text("body"),
                DurationText.parse(fields.text("timeout")),
                fields.optionalText("signingKey").map(SecretText::of),
                fields.has("cron")
                        ? CronExpression.of(fields.text("cron"), ZoneId.of(fields.text("timeZone")))
                        : new FixedInterval(DurationText.parse(fields.text("interval"))),
                readDuration(fields, "minInterval"),
                readDuration(fields, "maxInterval"),
                fields.optionalObject("remediation").map(StoredEndpointCodec::remediation));
    }

    /** What is asked of it. */
    public static EndpointOverrides readOverrides(Map<String, ?> document) {
        DocumentFields fields = toFields(document);
        return new EndpointOverrides(
                fields.instant("pausedUntil").map(until -> pause(until, fields)),
                fields.objects("hints").stream().map(StoredEndpointCodec::hint).toList(),
                fields.optionalObject("runRequest")
                        .map(wish -> new RunNowRequest(readInstant(wish, "at"), wish.text("by"), wish.text("reason"))),
                fields.truth("archived"));
    }

    private static RemediationPolicy remediation(DocumentFields fields) {
        return new RemediationPolicy(
                fields.count("after"),
                fields.text("namespace"),
                fields.text("workflow"),
                Target.parse(fields.text("target")),
                fields.texts("parameters"),
                ClusterRunOptions.read(fields));
    }

    private static Hint hint(DocumentFields fields) {
        Instant given = readInstant(fields, "givenAt");
        Instant expires = readInstant(fields, "expiresAt");
        return fields.has("interval")
                ? new IntervalHint(
                        DurationText.parse(fields.text("interval")),
                        given,
                        expires,
                        fields.text("by"),
                        fields.text("reason"))
                : new OneShotHint(readInstant(fields, "at"), given, expires, fields.text("by"), fields.text("reason"));
    }

    private static Optional<Duration> readDuration(DocumentFields fields, String key) {
        return fields.optionalText(key).map(DurationText::parse);
    }

    private static Instant readInstant(DocumentFields fields, String key) {
        return Instant.parse(fields.text(key));
    }

    private static DocumentFields toFields(Map<String, ?> document) {
        List<String> unused = new ArrayList<>();
        return DocumentFields.root(document, unused);
    }
}
