package dev.escapement.notifications.message;

import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.SafeText;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the text of a notification so that it can be read on a phone: short lines that say what happened, on which
 * target, why, until when and what to do, then the command that clears the target and a link.
 *
 * @param pageUrl the address of the dashboard; empty for no link
 */
public record NotificationComposer(String pageUrl) {

    private static final int MAX_SUBJECT_LENGTH = 150;
    private static final int MAX_NAME_LENGTH = 300;
    private static final int MAX_REASON_LENGTH = 1_000;
    private static final Pattern PLAIN_ARGUMENT = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    /** A text with its subject. */
    public record Text(String subject, String message) {}

    /** Writes the text of one transition. */
    public Text compose(Transition transition) {
        String target = SafeText.sanitize(transition.target(), MAX_NAME_LENGTH);
        List<String> lines = new ArrayList<>();
        lines.add("What: " + what(transition));
        lines.add("Target: " + target);
        lines.add("Why: " + why(transition));
        until(transition).ifPresent(text -> lines.add("Until: " + text));
        lines.add("To do: " + toDo(transition));
        if (NotificationClassifier.needsPerson(transition)) {
            lines.add("Clear: escapement clear " + shellQuote(target) + " --reason '…'");
        }
        transition
                .execution()
                .ifPresent(ref -> lines.add("Details: escapement describe execution " + nameArguments(ref)));
        if (!pageUrl.isEmpty()) {
            lines.add("Page: " + pageUrl);
        }
        String subject = SafeText.sanitize(subject(transition), MAX_SUBJECT_LENGTH);
        return new Text(subject, String.join("\n", lines));
    }

    private static String subject(Transition transition) {
        return switch (transition.type()) {
            case WorkflowSkipped -> "Skipped on " + transition.target() + ": " + transition.reason();
            case WorkflowFailed -> "Failed on " + transition.target() + ": " + transition.reason();
            case BlockCleared -> "Cleared: " + transition.target();
            default -> transition.type() + " on " + transition.target();
        };
    }

    private static String what(Transition transition) {
        String workflow = "workflow " + SafeText.sanitize(transition.workflow(), MAX_NAME_LENGTH);
        String execution = transition
                .execution()
                .map(ref -> " (execution " + SafeText.sanitize(ref.toString(), MAX_NAME_LENGTH) + ")")
                .orElse("");
        return switch (transition.type()) {
            case WorkflowSkipped -> workflow + " was skipped" + execution;
            case WorkflowFailed ->
                NotificationClassifier.wasExecutionFailure(transition)
                        ? workflow + " failed after it had started" + execution
                        : workflow + " could not start" + execution;
            case BlockCleared -> "the target was cleared and accepts executions again";
            default -> workflow + ": " + transition.type() + execution;
        };
    }

    private static String why(Transition transition) {
        String message = SafeText.sanitize(transition.message(), MAX_REASON_LENGTH);
        return transition.reason().isEmpty() ? message : transition.reason() + ": " + message;
    }

    private static Optional<String> until(Transition transition) {
        if (NotificationClassifier.needsPerson(transition)) {
            return Optional.of("a person clears the target");
        }
        return nextAllowed(transition)
                .map(NotificationComposer::formatTime)
                .or(() -> transition
                        .detail(TransitionDetail.CONFLICTING_EXECUTION)
                        .map(holder -> "execution " + SafeText.sanitize(holder, MAX_NAME_LENGTH) + " has ended"));
    }

    private static String toDo(Transition transition) {
        return switch (transition.type()) {
            case WorkflowSkipped -> toDoAfterSkip(transition.reason());
            case WorkflowFailed -> {
                if (NotificationClassifier.wasExecutionFailure(transition)) {
                    yield "check the target, it may be half changed; then clear it";
                }
                yield NotificationClassifier.needsPerson(transition)
                        ? "remove the cause, then clear the target"
                        : "nothing ran; remove the cause, it can be retried";
            }
            default -> "nothing";
        };
    }

    private static String toDoAfterSkip(String reason) {
        if (reason.equals(SkipReason.PreviousExecutionFailed.name())) {
            return "check the target, it may be half changed; then clear it";
        }
        return reason.equals(SkipReason.ExhaustedRetries.name())
                ? "remove the cause, then clear the target"
                : "nothing; request it again if it is still needed";
    }

    /** Returns the values that the text is made of. */
    public NotificationContext context(Transition transition) {
        boolean skipped = transition.type().name().equals("WorkflowSkipped");
        boolean failed = transition.type().name().equals("WorkflowFailed");
        return new NotificationContext(
                orAbsent(transition.workflow()),
                orAbsent(transition.target()),
                skipped ? orAbsent(transition.reason()) : null,
                failed ? orAbsent(transition.reason()) : null,
                detail(transition, TransitionDetail.CONFLICTING_EXECUTION),
                detail(transition, TransitionDetail.RECENT_EXECUTION),
                transition.execution().map(ExecutionRef::toString).orElse(null),
                detail(transition, TransitionDetail.REMEDIATION_ID),
                nextAllowed(transition).map(Instant::toString).orElse(null),
                skipped || failed ? null : detail(transition, TransitionDetail.ACTOR),
                null,
                null,
                null,
                orAbsent(pageUrl),
                Map.of());
    }

    private static @Nullable String orAbsent(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String detail(Transition transition, TransitionDetail key) {
        return transition.detail(key).orElse(null);
    }

    private static Optional<Instant> nextAllowed(Transition transition) {
        return transition.detail(TransitionDetail.NEXT_ALLOWED).map(Instant::parse);
    }

    /** Formats a time for a person: to the second, in UTC, because readers are in several time zones. */
    public static String formatTime(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", " UTC");
    }

    private static String nameArguments(ExecutionRef ref) {
        return ref.namespace().isEmpty()
                ? shellQuote(ref.name())
                : shellQuote(ref.name()) + " -n " + shellQuote(ref.namespace());
    }

    /** Quotes an argument, so that a name from outside cannot become a second command when it is pasted. */
    static String shellQuote(String argument) {
        return PLAIN_ARGUMENT.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
