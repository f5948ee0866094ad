package dev.escapement.notifications.routing;

import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.Target;
import dev.escapement.notifications.message.NotificationSeverity;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Selects notifications. An empty set matches all; a set with several values matches if one of them does. A value may
 * end with {@code *}, which matches any end.
 *
 * @param eventTypes such as {@code WorkflowFailed}
 * @param reasons of skips and failures, such as {@code ResourceBusy}
 * @param kinds of the target, in any case
 * @param namespaces of the target
 * @param targets canonical
 */
public record RouteMatcher(
        Set<String> eventTypes,
        Set<String> reasons,
        Set<NotificationSeverity> severities,
        Set<String> kinds,
        Set<String> namespaces,
        Set<String> targets,
        Set<String> workflows) {

    /** Matches everything. */
    public static final RouteMatcher ALL =
            new RouteMatcher(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

    public RouteMatcher {
        eventTypes = Set.copyOf(eventTypes);
        reasons = Set.copyOf(reasons);
        severities = Set.copyOf(severities);
        kinds = Set.copyOf(kinds);
        namespaces = Set.copyOf(namespaces);
        targets = Set.copyOf(targets);
        workflows = Set.copyOf(workflows);
    }

    /** Returns whether all conditions hold. A target that is not valid has no kind and no namespace. */
    public boolean matches(Transition transition, NotificationSeverity severity) {
        Optional<Target> target = parse(transition.target());
        return (severities.isEmpty() || severities.contains(severity))
                && matches(eventTypes, transition.type().name())
                && matches(reasons, transition.reason())
                && matches(workflows, transition.workflow())
                && matches(targets, transition.target())
                && matches(namespaces, target.flatMap(Target::namespace).orElse(""))
                && matchesKind(target.map(Target::kind).orElse(""));
    }

    private boolean matchesKind(String kind) {
        return kinds.isEmpty() || kinds.stream().anyMatch(pattern -> matches(pattern.toLowerCase(Locale.ROOT), kind));
    }

    private static boolean matches(Set<String> patterns, String value) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> matches(pattern, value));
    }

    private static boolean matches(String pattern, String value) {
        return pattern.endsWith("*")
                ? value.startsWith(pattern.substring(0, pattern.length() - 1))
                : value.equals(pattern);
    }

    private static Optional<Target> parse(String text) {
        try {
            return Optional.of(Target.parse(text));
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }
}
