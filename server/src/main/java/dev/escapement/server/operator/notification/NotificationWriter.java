package dev.escapement.server.operator.notification;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.common.BoundedMap;
import dev.escapement.engine.journal.Transition;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.folding.FoldState;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.folding.NotificationPlanner.Plan;
import dev.escapement.notifications.message.NotificationName;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the notifications of transitions. A transition is in a notification of its own, whose name follows from it, or
 * is counted in a summary, which lists it; so it is recognised when it comes again, after a crash too. What is kept in
 * memory follows from the stored notifications. Not thread-safe.
 */
final class NotificationWriter {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationWriter.class);
    private static final int MAX_REMEMBERED = 100_000;
    private static final Duration WINDOW_RETENTION = Duration.ofHours(1);
    private static final int HTTP_UNPROCESSABLE = 422;
    private static final Set<Integer> REFUSALS =
            Set.of(HttpURLConnection.HTTP_BAD_REQUEST, HttpURLConnection.HTTP_ENTITY_TOO_LARGE, HTTP_UNPROCESSABLE);

    private final NotificationObjects objects;
    private final Supplier<NotificationPlanner> planner;
    private final Map<String, Boolean> countedKeys = new BoundedMap<>(MAX_REMEMBERED);
    private Map<String, FoldState> windows = new HashMap<>();
    /** Whether the memory may differ from what is stored. */
    private boolean stale = true;

    NotificationWriter(NotificationObjects objects, Supplier<NotificationPlanner> planner) {
        this.objects = objects;
        this.planner = planner;
    }

    /**
     * What a call of {@link #write} did.
     *
     * @param created notifications, summaries not included
     * @param folded transitions that were counted in a summary
     * @param left transitions that must be written again, because another writer has written to their summary
     */
    record Result(int created, int folded, List<Transition> left) {}

    /** A summary to be written, and the transitions that it counts from now on. */
    private record SummaryChange(NotificationRequest request, FoldState state, List<Transition> added) {}

    /**
     * Writes the notifications of transitions that have none yet.
     *
     * @param transitions notable ones, the oldest first
     * @throws KubernetesClientException if the API server does not answer; then all must be written again
     */
    Result write(List<Transition> transitions) {
        if (stale) {
            reload();
        }
        stale = true;
        removeEnded(transitions);
        int created = 0;
        Map<String, SummaryChange> summaries = new LinkedHashMap<>();
        for (Transition transition : transitions) {
            if (isKnown(transition)) {
                continue;
            }
            Plan plan = planner.get().plan(List.of(transition), windows, findClosed(transition, summaries));
            windows.putAll(plan.windows());
            for (NotificationRequest request : plan.created()) {
                created += create(request, plan) ? 1 : 0;
            }
            for (NotificationRequest request : plan.summaries()) {
                FoldState state = plan.windows().values().iterator().next();
                SummaryChange change = new SummaryChange(request, state, List.of(transition));
                summaries.merge(NotificationDocuments.name(request), change, NotificationWriter::merge);
            }
        }
        return writeSummaries(created, summaries);
    }

    private static SummaryChange merge(SummaryChange before, SummaryChange next) {
        List<Transition> added = new ArrayList<>(before.added());
        added.addAll(next.added());
        return new SummaryChange(next.request(), next.state(), added);
    }

    private Result writeSummaries(int created, Map<String, SummaryChange> summaries) {
        int folded = 0;
        List<Transition> left = new ArrayList<>();
        for (SummaryChange change : summaries.values()) {
            if (writeSummary(change)) {
                folded += change.added().size();
                change.added().forEach(transition -> countedKeys.put(keyOf(transition), true));
            } else {
                left.addAll(change.added());
            }
        }
        stale = !left.isEmpty();
        return new Result(created, folded, left);
    }

    private void reload() {
        windows = FoldAnnotations.readWindows(objects.own());
        objects.own()
                .flatMap(resource -> FoldAnnotations.readCounted(resource).stream())
                .forEach(key -> countedKeys.put(key, true));
    }

    /** A transition is rarely that much older than another one of its batch; then it opens a new window. */
    private void removeEnded(List<Transition> transitions) {
        transitions.stream()
                .map(Transition::at)
                .max(Comparator.naturalOrder())
                .map(newest -> newest.minus(WINDOW_RETENTION))
                .ifPresent(oldest ->
                        windows.values().removeIf(state -> state.windowEnd().isBefore(oldest)));
    }

    private boolean isKnown(Transition transition) {
        return countedKeys.containsKey(keyOf(transition))
                || objects.findOwn(NotificationName.of(transition)).isPresent();
    }

    private static String keyOf(Transition transition) {
        return FoldAnnotations.keyOf(NotificationName.of(transition));
    }

    /** Returns the groups of a transition whose summary is being sent, was sent, was removed or is full. */
    private Set<String> findClosed(Transition transition, Map<String, SummaryChange> changes) {
        Set<String> closed = new HashSet<>();
        for (String group : planner.get().groupIds(List.of(transition))) {
            FoldState state = windows.get(group);
            if (state != null && state.folded() > 0) {
                SummaryChange change = changes.get(NotificationPlanner.summaryName(state));
                boolean open = state.folded() < FoldAnnotations.MAX_COUNTED
                        && (change != null || isStoredAndPending(NotificationPlanner.summaryName(state)));
                if (!open) {
                    closed.add(group);
                }
            }
        }
        return closed;
    }

    private boolean isStoredAndPending(String name) {
        return objects.findOwn(name).filter(NotificationWriter::isPending).isPresent();
    }

    private static boolean isPending(NotificationRequestResource resource) {
        return !resource.isMarkedForDeletion()
                && resource.phase().map(DeliveryPhase.Pending.name()::equals).orElse(true);
    }

    /** Returns false if it exists: another operator has created it. */
    private boolean create(NotificationRequest request, Plan plan) {
        Map<String, String> annotations = Map.of(
                FoldAnnotations.WINDOWS,
                FoldAnnotations.writeWindows(plan.windows().values()));
        NotificationRequestResource resource = objects.newResource(request, annotations);
        try {
            return objects.writer().tryCreate(resource);
        } catch (KubernetesClientException refused) {
            return dropIfRefused(request, refused);
        }
    }

    /** Returns false if another writer has written or removed the summary. */
    private boolean writeSummary(SummaryChange change) {
        Optional<NotificationRequestResource> stored = objects.findOwn(NotificationDocuments.name(change.request()));
        List<String> counted =
                new ArrayList<>(stored.map(FoldAnnotations::readCounted).orElse(Set.of()));
        change.added().forEach(transition -> counted.add(keyOf(transition)));
        Map<String, String> annotations = Map.of(
                FoldAnnotations.WINDOWS,
                FoldAnnotations.writeWindows(List.of(change.state())),
                FoldAnnotations.COUNTED,
                FoldAnnotations.writeCounted(counted));
        try {
            if (stored.isEmpty()) {
                return objects.writer().tryCreate(objects.newResource(change.request(), annotations));
            }
            return isPending(stored.get())
                    && objects.writer()
                            .tryWrite(
                                    stored.get().withSpec(NotificationDocuments.spec(change.request()), annotations),
                                    Resource::update);
        } catch (KubernetesClientException refused) {
            return !dropIfRefused(change.request(), refused);
        }
    }

    /**
     * A notification that the API server will never accept must not keep all others.
     *
     * @return false
     * @throws KubernetesClientException if it may be accepted later
     */
    private static boolean dropIfRefused(NotificationRequest request, KubernetesClientException refused) {
        if (!REFUSALS.contains(refused.getCode())) {
            throw refused;
        }
        LOG.error(
                "Notification {} is refused by the API server and is lost: {}",
                NotificationDocuments.name(request),
                refused.getMessage());
        return false;
    }
}
