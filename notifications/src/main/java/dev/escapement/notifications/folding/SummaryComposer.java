package dev.escapement.notifications.folding;

import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.SafeText;
import dev.escapement.notifications.message.NotificationComposer;
import dev.escapement.notifications.message.NotificationComposer.Text;
import dev.escapement.notifications.message.NotificationSeverity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes the text of a summary.
 *
 * @param pageUrl the address of the dashboard; empty for no link
 */
record SummaryComposer(String pageUrl) {

    private static final int MAX_LABEL_LENGTH = 200;
    private static final int MAX_SUBJECT_LENGTH = 150;

    Text compose(FoldState state) {
        FoldGroup group = state.group();
        String where = group.isOfOneTarget() ? " on " + group.target() : "";
        String reason = group.reason().isEmpty() ? "" : ": " + group.reason();
        String subject =
                SafeText.sanitize(state.folded() + " more " + describeType(group) + where + reason, MAX_SUBJECT_LENGTH);
        List<String> lines = new ArrayList<>();
        lines.add("What: " + state.folded() + " more " + describeType(group) + " in one summary");
        if (group.isOfOneTarget()) {
            lines.add("Target: " + SafeText.sanitize(group.target(), MAX_LABEL_LENGTH));
        }
        lines.add("When: " + NotificationComposer.formatTime(state.firstAt()) + " to "
                + NotificationComposer.formatTime(state.lastAt()));
        state.counts().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(count ->
                        lines.add(count.getValue() + " × " + SafeText.sanitize(count.getKey(), MAX_LABEL_LENGTH)));
        lines.add("To do: " + toDo(group.severity()));
        lines.add("Details: " + command(group));
        if (!pageUrl.isEmpty()) {
            lines.add("Page: " + pageUrl);
        }
        return new Text(subject, String.join("\n", lines));
    }

    private static String describeType(FoldGroup group) {
        return switch (group.type()) {
            case WorkflowSkipped -> "skipped executions";
            case WorkflowFailed -> "failed executions";
            case BlockCleared -> "clearances";
            default -> group.type().name();
        };
    }

    private static String toDo(NotificationSeverity severity) {
        return switch (severity) {
            case INFO -> "nothing; look for the cause if this lasts";
            case WARNING -> "remove the cause, then clear the targets";
            case CRITICAL -> "check the targets, they may be half changed; then clear them";
        };
    }

    private static String command(FoldGroup group) {
        return group.severity() == NotificationSeverity.INFO
                ? "escapement get executions"
                : "escapement get targets --state failing";
    }

    NotificationContext context(FoldState state) {
        FoldGroup group = state.group();
        return new NotificationContext(
                null,
                group.target().isEmpty() ? null : group.target(),
                group.type().name().equals("WorkflowSkipped") && !group.reason().isEmpty() ? group.reason() : null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                state.folded(),
                state.firstAt().toString(),
                state.lastAt().toString(),
                pageUrl.isEmpty() ? null : pageUrl,
                Map.of());
    }
}
