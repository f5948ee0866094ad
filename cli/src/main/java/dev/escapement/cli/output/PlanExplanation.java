package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The story of a plan: what was chosen and why, what moved it, and what was not taken by which rule. */
final class PlanExplanation {

    private final Instant now;

    PlanExplanation(Instant now) {
        this.now = now;
    }

    List<String> lines(JsonNode plan) {
        List<String> lines = new ArrayList<>();
        if (!plan.path("at").isTextual()) {
            // Nobody's choice: archived, or not to be planned.
            lines.addAll(ClientJson.text(plan, "/explanation").lines().toList());
            return lines;
        }
        lines.add(candidateText(plan) + ": " + ClientJson.text(plan, "/basis"));
        String clamp = ClientJson.text(plan, "/clamp");
        if (!clamp.isEmpty()) {
            lines.add("%s; it would have been %s".formatted(clampText(clamp), formatTime(plan, "/clampedFrom")));
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
        boolean among = plan.has("by");
        for (JsonNode other : plan.path("rejected")) {
            among |= other.has("by");
        }
        return among;
    }

    private String candidateText(JsonNode candidate) {
        return EndpointJsonView.toWords(ClientJson.text(candidate, "/source")) + ", " + formatTime(candidate, "/at");
    }

    private static String clampText(String bound) {
        return switch (bound) {
            case "MIN" -> "held back by minInterval";
            case "MAX" -> "brought forward by maxInterval";
            case "RETRY_AFTER" -> "held back because the other side asked for it (Retry-After)";
            default -> "moved by " + EndpointJsonView.toWords(bound);
        };
    }

    private String formatTime(JsonNode node, String pointer) {
        return ClientJson.instant(node, pointer)
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("?");
    }
}
