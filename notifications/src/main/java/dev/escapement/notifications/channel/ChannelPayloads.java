package dev.escapement.notifications.channel;

import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.Digests;
import dev.escapement.common.Json;
import dev.escapement.notifications.delivery.NotificationDocuments;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of requests: of a webhook, of Slack's incoming webhooks and of PagerDuty's Events API v2. */
final class ChannelPayloads {

    private static final int MAX_DEDUP_KEY_LENGTH = 200;
    private static final String CLEARED = "BlockCleared";
    private static final String INFO = "info";

    private ChannelPayloads() {}

    /** Returns an envelope of type, time and data, as Standard Webhooks recommends. */
    static String webhook(NotificationRequest request) {
        NotificationRequestSpec spec = NotificationDocuments.spec(request);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", NotificationDocuments.name(request));
        data.put("severity", text(spec.severity()));
        data.put("subject", text(spec.subject()));
        data.put("message", text(spec.message()));
        data.put("context", context(spec));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", text(spec.eventType()));
        body.put("timestamp", createdAt(request));
        body.put("data", data);
        return Json.write(body);
    }

    static String slack(NotificationRequest request) {
        NotificationRequestSpec spec = NotificationDocuments.spec(request);
        String text = "*" + text(spec.severity()).toUpperCase(Locale.ROOT) + ": " + escapeSlack(text(spec.subject()))
                + "*\n" + escapeSlack(text(spec.message()));
        return Json.write(Map.of("text", text));
    }

    /** Escapes the three characters with a meaning in Slack, so that a name cannot become a link or a mention. */
    private static String escapeSlack(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /**
     * Returns an event. What needs a person opens one incident per target, which the clearance of the target resolves;
     * anything else, such as what users create, is an event of its own.
     */
    static String pagerDuty(NotificationRequest request, String routingKey) {
        NotificationRequestSpec spec = NotificationDocuments.spec(request);
        Map<String, Object> context = context(spec);
        boolean cleared = CLEARED.equals(spec.eventType());
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("summary", text(spec.subject()));
        payload.put("source", context.getOrDefault("targetResource", "escapement"));
        payload.put("severity", text(spec.severity()));
        payload.put("timestamp", createdAt(request));
        Optional.ofNullable(context.get("workflowId")).ifPresent(workflow -> payload.put("component", workflow));
        payload.put("class", text(spec.eventType()));
        Map<String, Object> details = new LinkedHashMap<>(context);
        details.put("message", text(spec.message()));
        payload.put("custom_details", details);
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("routing_key", routingKey);
        event.put("event_action", cleared ? "resolve" : "trigger");
        event.put("dedup_key", dedupKey(request, spec, cleared));
        event.put("payload", payload);
        event.put("client", "Escapement");
        Optional.ofNullable(context.get("link")).ifPresent(link -> event.put("client_url", link));
        return Json.write(event);
    }

    private static String dedupKey(NotificationRequest request, NotificationRequestSpec spec, boolean cleared) {
        NotificationContext context = spec.context();
        String target = context == null ? "" : text(context.targetResource());
        boolean ofTarget = NotificationDocuments.isReserved(spec.eventType()) && !target.isEmpty();
        if (!ofTarget || (INFO.equals(spec.severity()) && !cleared)) {
            return NotificationDocuments.name(request);
        }
        return "escapement/" + (target.length() <= MAX_DEDUP_KEY_LENGTH ? target : Digests.sha256Hex(target, 16));
    }

    private static Map<String, Object> context(NotificationRequestSpec spec) {
        NotificationContext context = spec.context();
        return context == null ? Map.of() : Json.toMap(context);
    }

    private static String createdAt(NotificationRequest request) {
        return request.metadata() == null ? "" : text(request.metadata().creationTimestamp());
    }

    private static String text(@Nullable String text) {
        return requireNonNullElse(text, "");
    }
}
