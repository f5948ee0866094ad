package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;
import static dev.escapement.cli.client.ClientJson.words;

import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.api.endpoint.ScheduleExplanation.Alternative;
import dev.escapement.api.endpoint.ScheduleExplanation.Rejected;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.common.Copies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a plan: the chosen time with its reason, the bound that moved it, and the rejected times. */
record PlanExplanation(Instant now) {

    List<String> lines(@Nullable ScheduleExplanation plan) {
        if (plan == null || plan.at() == null) {
            // Nothing was chosen: archived, or not planned.
            return plan == null ? List.of() : text(plan.explanation()).lines().toList();
        }
        List<String> lines = new ArrayList<>();
        lines.add(candidate(plan.source(), plan.at()) + ": " + text(plan.basis()));
        if (!text(plan.clamp()).isEmpty()) {
            lines.add(clampText(text(plan.clamp())) + "; without that: " + time(plan.clampedFrom()));
        }
        List<Rejected> rejected = Copies.list(plan.rejected());
        for (Rejected other : rejected) {
            String reason = "%s (%s)".formatted(text(other.basis()), text(other.why()));
            lines.add("not " + candidate(other.source(), other.at()) + ": " + reason);
        }
        if (plan.by() != null || rejected.stream().anyMatch(other -> other.by() != null)) {
            Alternative alternative = ClientJson.orEmpty(plan.withoutHints(), Alternative.class);
            lines.add("without hints: " + candidate(alternative.source(), alternative.at()));
        }
        return lines;
    }

    private String candidate(@Nullable String source, @Nullable String at) {
        return words(source) + ", " + time(at);
    }

    private static String clampText(String bound) {
        return switch (bound) {
            case "MIN" -> "delayed by minInterval";
            case "MAX" -> "brought forward by maxInterval";
            case "REST" -> "delayed by the smallest rest after a run";
            case "RETRY_AFTER" -> "delayed by Retry-After of the last response";
            default -> "moved by " + words(bound);
        };
    }

    private String time(@Nullable String value) {
        return ClientJson.instant(value)
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("?");
    }
}
