package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The story of a plan: what was chosen and why, what moved it, and what was not taken by which rule. */
final class PlanLines {

    private final Instant now;

    PlanLines(Instant now) {
        this.now = now;
    }

    List<String> of(JsonNode plan) {
        List<String> lines = new ArrayList<>();
        if (!plan.path("at").isTextual()) {
            // Nobody's choice: archived, or not to be planned.
            lines.addAll(Json.text(plan, "/explanation").lines().toList());
            return lines;
        }
        lines.add(candidate(plan) + ": " + Json.text(plan, "/basis"));
        String clamp = Json.text(plan, "/clamp");
        if (!clamp.isEmpty()) {
            lines.add("%s; it would have been %s".formatted(moved(clamp), at(plan, "/clampedFrom")));
        }
        for (JsonNode other : plan.path("rejected")) {
            lines.add("not %s: %s (%s)"
                    .formatted(candidate(other), Json.text(other, "/basis"), Json.text(other, "/why")));
        }
        if (hinted(plan)) {
            lines.add("without hints: " + candidate(plan.path("withoutHints")));
        }
        return lines;
    }

    private static boolean hinted(JsonNode plan) {
        boolean among = plan.has("by");
        for (JsonNode other : plan.path("rejected")) {
            among |= other.has("by");
        }
        return among;
    }

    private String candidate(JsonNode candidate) {
        return EndpointView.words(Json.text(candidate, "/source")) + ", " + at(candidate, "/at");
    }

    private static String moved(String bound) {
        return switch (bound) {
            case "MIN" -> "held back by minInterval";
            case "MAX" -> "brought forward by maxInterval";
            case "RETRY_AFTER" -> "held back because the other side asked for it (Retry-After)";
            default -> "moved by " + EndpointView.words(bound);
        };
    }

    private String at(JsonNode node, String pointer) {
        return Json.instant(node, pointer).map(at -> Times.at(at, now)).orElse("?");
    }
}
