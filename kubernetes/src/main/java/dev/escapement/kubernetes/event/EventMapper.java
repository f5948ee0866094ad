package dev.escapement.kubernetes.event;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.common.Digests;
import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Converts transitions to Events and back. The name of an Event follows from its transition, so the API server refuses
 * a second Event of the same transition.
 */
public final class EventMapper {

    static final String COMPONENT = "escapement";
    static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

    /** How long the API server keeps an Event. */
    public static final Duration EVENT_LIFETIME = Duration.ofHours(1);

    private static final String TRANSITION_ANNOTATION = "kubernaut.ai/transition";

    /** Kubernetes keeps the Events of cluster-scoped objects in this namespace. */
    private static final String CLUSTER_EVENT_NAMESPACE = "default";

    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_MESSAGE_LENGTH = 1_000;
    private static final int HASH_BYTES = 10;
    static final String HELD_UP = "HeldUp";
    static final String CLEARANCE_REFUSED = "ClearanceRefused";
    static final String POLICY_REFUSED = "PolicyRefused";
    private static final String WARNING = "Warning";

    private EventMapper() {}

    private static String eventType(TransitionType transition) {
        boolean warning = transition == TransitionType.WorkflowFailed || transition == TransitionType.WorkflowSkipped;
        return warning ? WARNING : "Normal";
    }

    /** Returns the types of all Events that Escapement creates. */
    public static Map<String, String> typesByReason() {
        Map<String, String> types = new LinkedHashMap<>();
        for (TransitionType transition : TransitionType.values()) {
            types.put(transition.name(), eventType(transition));
        }
        types.put(HELD_UP, WARNING);
        types.put(CLEARANCE_REFUSED, WARNING);
        types.put(POLICY_REFUSED, WARNING);
        return Collections.unmodifiableMap(types);
    }

    /** Returns whether the Event would still exist: of an older transition it is unknown whether it was published. */
    static boolean isWithinLifetime(Instant at, Instant now) {
        return at.plus(EVENT_LIFETIME).isAfter(now);
    }

    /**
     * Returns the Event of a transition.
     *
     * @param instance the reporting instance
     */
    static Event toEvent(Transition transition, String instance) {
        String message = transition.reason().isEmpty()
                ? transition.message()
                : transition.reason() + ": " + transition.message();
        return newEvent(involvedObject(transition), subject(transition), message, transition.at(), instance)
                .editMetadata()
                .addToAnnotations(TRANSITION_ANNOTATION, Json.write(TransitionMapper.toDocument(transition)))
                .endMetadata()
                .withType(eventType(transition.type()))
                .withReason(transition.type().name())
                .build();
    }

    /** Returns a warning about an object. It has no transition. */
    static Event warning(
            HasMetadata object, String reason, String subject, String message, Instant at, String instance) {
        String uniqueSubject = object.getMetadata().getUid() + "#" + subject;
        return newEvent(reference(object), uniqueSubject, message, at, instance)
                .withType(WARNING)
                .withReason(reason)
                .build();
    }

    /** @param subject Events of one object with the same subject get the same name, so only one is created */
    private static EventBuilder newEvent(
            ObjectReference object, String subject, String message, Instant at, String instance) {
        String time = at.truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(eventName(object, subject))
                .withNamespace(namespaceOf(object))
                .addToLabels(MANAGED_BY_LABEL, COMPONENT)
                .endMetadata()
                .withInvolvedObject(object)
                .withMessage(
                        message.length() <= MAX_MESSAGE_LENGTH
                                ? message
                                : message.substring(0, MAX_MESSAGE_LENGTH) + "…")
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(instance)
                .withNewSource(COMPONENT, null);
    }

    private static ObjectReference reference(HasMetadata object) {
        var meta = object.getMetadata();
        return reference(object.getKind(), meta.getName())
                .withApiVersion(object.getApiVersion())
                .withNamespace(meta.getNamespace())
                .withUid(meta.getUid())
                .build();
    }

    private static ObjectReference involvedObject(Transition transition) {
        return transition
                .execution()
                .map(ref -> reference(WorkflowExecution.KIND, ref.name())
                        .withNamespace(ref.namespace())
                        .withUid(ref.uid()))
                .orElseGet(() -> reference(
                        RemediationTarget.KIND,
                        Target.parse(transition.target()).objectName()))
                .build();
    }

    private static ObjectReferenceBuilder reference(String kind, String name) {
        return new ObjectReferenceBuilder()
                .withApiVersion(ApiGroup.API_VERSION)
                .withKind(kind)
                .withName(name);
    }

    /** Returns namespace and name of the Event of a transition, which identify the transition. */
    static String eventKey(Transition transition) {
        ObjectReference object = involvedObject(transition);
        return Cache.namespaceKeyFunc(namespaceOf(object), eventName(object, subject(transition)));
    }

    private static String namespaceOf(ObjectReference object) {
        return Optional.ofNullable(object.getNamespace()).orElse(CLUSTER_EVENT_NAMESPACE);
    }

    /**
     * A target can be cleared many times, and an execution can be delayed once for each reason; every other transition
     * happens to an execution once.
     */
    private static String subject(Transition transition) {
        String pendingReason = transition.type() == TransitionType.WorkflowPending ? "#" + transition.reason() : "";
        return transition
                .execution()
                .map(ref -> ref.uid() + "#" + transition.type() + pendingReason)
                .orElseGet(() -> transition.target() + "#" + transition.type() + "#" + transition.at());
    }

    private static String eventName(ObjectReference object, String subject) {
        String name = object.getName().length() <= MAX_NAME_LENGTH
                ? object.getName()
                : object.getName().substring(0, MAX_NAME_LENGTH).replaceFirst("[.-]+$", "");
        return name + "." + Digests.sha256Hex(subject, HASH_BYTES);
    }

    /** Returns whether an Event holds a transition and so belongs to the journal. */
    static boolean hasTransition(Event event) {
        return RunLabels.annotation(event, TRANSITION_ANNOTATION).isPresent();
    }

    /** Returns whether the journal takes both Events for the same transition, or neither holds one. */
    static boolean isSame(Event existing, Event wanted) {
        boolean managed =
                COMPONENT.equals(Optional.ofNullable(existing.getMetadata().getLabels())
                        .map(labels -> labels.get(MANAGED_BY_LABEL))
                        .orElse(""));
        return managed
                && toTransition(existing)
                        .map(EventMapper::eventKey)
                        .equals(toTransition(wanted).map(EventMapper::eventKey));
    }

    /** Returns the transition of an Event; empty if it holds none or one that this version cannot read. */
    static Optional<Transition> toTransition(Event event) {
        try {
            return RunLabels.annotation(event, TRANSITION_ANNOTATION)
                    .map(json -> TransitionMapper.fromDocument(Json.read(json, TransitionEvent.class)));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
