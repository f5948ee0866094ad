package dev.escapement.kubernetes.run.job;

import dev.escapement.common.BoundedMap;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.kubernetes.run.KubernetesReasons;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The messages of the Job controller about pods that it could not create. Only its Events have them: a Job without a
 * pod looks the same whether its pod is refused or not created yet. Thread-safe.
 */
public final class PodCreationFailures implements ResourceEventHandler<Event> {

    /** The reason of the Events. */
    public static final String REASON = "FailedCreate";

    private static final String JOB_CONTROLLER = "job-controller";
    private static final int MAX_JOBS = 1_000;

    private final Map<String, String> messagesByJobUid = new BoundedMap<>(MAX_JOBS);
    private final Consumer<ObjectReference> listener;

    /** @param listener receives the Job of every new message; must not block or throw */
    public PodCreationFailures(Consumer<ObjectReference> listener) {
        this.listener = listener;
    }

    /** Keeps what is read of an Event. */
    public static Event trim(Event event) {
        return new EventBuilder()
                .withMetadata(event.getMetadata())
                .withInvolvedObject(event.getInvolvedObject())
                .withMessage(event.getMessage())
                .withSource(event.getSource())
                .withReportingComponent(event.getReportingComponent())
                .build();
    }

    /**
     * Returns why the pod of a Job is refused. Empty if nothing is known, or if the next attempt may succeed, as after
     * an error of the API server.
     */
    Optional<RunFacts> findRefusal(String jobUid, Instant now) {
        String message;
        synchronized (messagesByJobUid) {
            message = messagesByJobUid.getOrDefault(jobUid, "");
        }
        return isPermanent(message)
                ? Optional.of(RunFacts.of(RunEnd.REFUSED, now)
                        .withReasonTable(KubernetesReasons.TABLE)
                        .withReason(REASON, message)
                        .withHttpStatus(HttpURLConnection.HTTP_FORBIDDEN)
                        .asNeverStarted())
                : Optional.empty();
    }

    boolean hasFailed(String jobUid) {
        synchronized (messagesByJobUid) {
            return messagesByJobUid.containsKey(jobUid);
        }
    }

    /**
     * The API server writes one of these into every refusal by a quota, an account, a policy or an admission plugin.
     */
    private static boolean isPermanent(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        return Stream.of("forbidden", "denied the request", "is invalid").anyMatch(text::contains);
    }

    @Override
    public void onAdd(Event event) {
        boolean ofJobController = JOB_CONTROLLER.equals(event.getReportingComponent())
                || (event.getSource() != null
                        && JOB_CONTROLLER.equals(event.getSource().getComponent()));
        if (ofJobController) {
            synchronized (messagesByJobUid) {
                messagesByJobUid.put(event.getInvolvedObject().getUid(), event.getMessage());
            }
            listener.accept(event.getInvolvedObject());
        }
    }

    @Override
    public void onUpdate(Event old, Event event) {
        onAdd(event);
    }

    /** The API server forgets Events after an hour; the Job has ended long before. */
    @Override
    public void onDelete(Event event, boolean finalStateUnknown) {}
}
