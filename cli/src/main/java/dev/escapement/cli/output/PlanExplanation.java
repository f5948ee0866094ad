package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Describes a plan: the chosen time with its reason, the bound that moved it, and the rejected times. */
final class PlanExplanation {

    private final Instant now;

    PlanExplanation(Instant now) {
        this.now = now;
    }

    List<String> lines(JsonNode plan) {
        List<String> lines = new ArrayList<>();
        if (!plan.path("at").isTextual()) {
            // Nothing was chosen: archived, or not planned.
            lines.addAll(ClientJson.text(plan, "/explanation").lines().toList());
            return lines;
        }
        lines.add(candidateText(plan) + ": " + ClientJson.text(plan, "/basis"));
        String clamp = ClientJson.text(plan, "/clamp");
        if (!clamp.isEmpty()) {
            lines.add("%s; without that: %s".formatted(clampText(clamp), formatTime(plan, "/clampedFrom")));
        }
        for (JsonNode other : plan.path("rejected")) {
            lines.add("not %s: %s (%s)"
                    .formatted(candidateText(other), ClientJson.text(other, "/basis"), ClientJson.text(other, "/why")));
        }
        if (hasHint(plan)) {
            lines.add("without hints: " + candidateText(plan.path("withoutHints")));
        }
        return lines;
    }

    private static boolean hasHint(JsonNode plan) {
        boolean found = plan.has("by");
        for (JsonNode other : plan.path("rejected")) {
            found |= other.has("by");
        }
        return found;
    }

    private String candidateText(JsonNode candidate) {
        return EndpointJsonView.toWords(ClientJson.text(candidate, "/source")) + ", " + formatTime(candidate, "/at");
    }

    private static String clampText(String bound) {
        return switch (bound) {
            case "MIN" -> "delayed by minInterval";
            case "MAX" -> "brought forward by maxInterval";
            case "RETRY_AFTER" -> "delayed by Retry-After of the last response";
            default -> "moved by " + EndpointJsonView.toWords(bound);
        };
    }

    private String formatTime(JsonNode node, String pointer) {
        return ClientJson.instant(node, pointer)
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("?");
    }
}
