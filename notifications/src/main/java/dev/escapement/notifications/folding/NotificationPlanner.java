package dev.escapement.notifications.folding;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.engine.journal.Transition;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.message.NotificationClassifier;
import dev.escapement.notifications.message.NotificationComposer;
import dev.escapement.notifications.message.NotificationComposer.Text;
import dev.escapement.notifications.message.NotificationName;
import dev.escapement.notifications.message.NotificationSeverity;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.RoutingRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the notifications of transitions. A pure function of the transitions and the stored windows, so that a
 * transaction that is repeated plans the same.
 *
 * @param pageUrl the address of the dashboard; empty for no link
 */
public record NotificationPlanner(
        RoutingRules routing,
        QuietTimes quietTimes,
        FoldingPolicy folding,
        DeliveryRetryPolicy retryPolicy,
        String pageUrl) {

    /** The value of {@code eventType} of a summary. */
    public static final String SUMMARY_TYPE = "NotificationSummary";

    /**
     * What one batch of transitions changes.
     *
     * @param created notifications of one transition each
     * @param summaries new and updated summaries, which replace earlier ones of the same name
     * @param windows the changed windows, by id of their group
     */
    public record Plan(
            List<NotificationRequest> created, List<NotificationRequest> summaries, Map<String, FoldState> windows) {}

    /** Returns whether a transition becomes a notification, alone or in a summary. */
    public boolean isNotable(Transition transition) {
        return NotificationClassifier.severityOf(transition)
                .filter(severity -> !routing.channelsFor(transition, severity).isEmpty())
                .isPresent();
    }

    /** Returns the ids of the groups whose windows {@link #plan} needs. */
    public Set<String> groupIds(List<Transition> transitions) {
        Set<String> ids = new LinkedHashSet<>();
        for (Transition transition : transitions) {
            NotificationClassifier.severityOf(transition)
                    .ifPresent(severity -> FoldGroup.of(transition, severity).forEach(group -> ids.add(group.id())));
        }
        return ids;
    }

    /**
     * Plans the notifications of transitions, in their order.
     *
     * @param windows the stored windows, by id of their group
     * @param closed ids of the groups whose summary is being sent or was sent: it can count no more
     */
    public Plan plan(List<Transition> transitions, Map<String, FoldState> windows, Set<String> closed) {
        return new Batch(windows, closed).plan(transitions);
    }

    private final class Batch {

        private final Map<String, FoldState> stored;
        private final Set<String> closed;
        private final Map<String, FoldState> changed = new LinkedHashMap<>();
        /** Windows with a summary, by its name; one that is full and over is not in {@link #changed} any more. */
        private final Map<String, FoldState> summarised = new LinkedHashMap<>();

        private final List<NotificationRequest> created = new ArrayList<>();

        Batch(Map<String, FoldState> stored, Set<String> closed) {
            this.stored = stored;
            this.closed = closed;
        }

        Plan plan(List<Transition> transitions) {
            transitions.forEach(this::add);
            List<NotificationRequest> summaries = summarised.values().stream()
                    .map(NotificationPlanner.this::summarise)
                    .toList();
            return new Plan(List.copyOf(created), summaries, Map.copyOf(changed));
        }

        private void add(Transition transition) {
            Optional<NotificationSeverity> severity = NotificationClassifier.severityOf(transition);
            if (severity.isEmpty()) {
                return;
            }
            List<String> channels = routing.channelsFor(transition, severity.get());
            if (channels.isEmpty()) {
                return;
            }
            List<FoldState> states = FoldGroup.of(transition, severity.get()).stream()
                    .map(group -> currentWindow(group, transition.at()))
                    .toList();
            Optional<FoldState> full =
                    states.stream().filter(state -> state.isFull(folding)).findFirst();
            if (full.isPresent()) {
                FoldState next = full.get().withFolded(transition, channels);
                changed.put(next.group().id(), next);
                summarised.put(summaryName(next), next);
            } else {
                states.forEach(state -> changed.put(state.group().id(), state.withSingle()));
                created.add(create(transition, severity.get(), channels));
            }
        }

        private FoldState currentWindow(FoldGroup group, Instant at) {
            String id = group.id();
            Optional<FoldState> known =
                    Optional.ofNullable(changed.get(id)).or(() -> Optional.ofNullable(stored.get(id)));
            boolean isClosed = !changed.containsKey(id) && closed.contains(id);
            return known.filter(state -> !isClosed && state.covers(at))
                    .orElseGet(() -> FoldState.open(
                            group, known.map(FoldState::generation).orElse(0L) + 1, at, folding));
        }
    }

    private NotificationRequest create(Transition transition, NotificationSeverity severity, List<String> channels) {
        NotificationComposer composer = new NotificationComposer(pageUrl);
        return request(
                NotificationName.of(transition),
                transition.at(),
                transition.at(),
                transition.type().name(),
                severity,
                composer.compose(transition),
                composer.context(transition),
                channels);
    }

    /** Returns the name of the summary of a window. */
    public static String summaryName(FoldState state) {
        return NotificationName.ofSummary(state.group().id(), state.windowStart(), state.generation());
    }

    private NotificationRequest summarise(FoldState state) {
        SummaryComposer composer = new SummaryComposer(pageUrl);
        return request(
                summaryName(state),
                state.windowStart(),
                state.windowEnd(),
                SUMMARY_TYPE,
                state.group().severity(),
                composer.compose(state),
                composer.context(state),
                List.copyOf(state.channels()));
    }

    private NotificationRequest request(
            String name,
            Instant createdAt,
            Instant dueAt,
            String eventType,
            NotificationSeverity severity,
            Text text,
            NotificationContext context,
            List<String> channels) {
        Instant firstAttemptAt = quietTimes.deferUntil(severity, dueAt);
        NotificationRequestSpec spec = new NotificationRequestSpec(
                eventType,
                severity.text(),
                text.subject(),
                text.message(),
                context,
                channels,
                firstAttemptAt.isAfter(createdAt) ? firstAttemptAt.toString() : null,
                NotificationDocuments.toDocument(retryPolicy),
                Map.of());
        ObjectMetadata metadata = new ObjectMetadata(
                name,
                null,
                null,
                null,
                createdAt.toString(),
                null,
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        DeliveryStatus status = DeliveryStatus.pending(firstAttemptAt);
        return NotificationRequest.of(metadata, spec, NotificationDocuments.toDocument(status));
    }
}
