package dev.escapement.kubernetes.event;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.common.Digests;
import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Converts transitions to Events and back. The name of an Event follows from its transition, so the API server refuses
 * a second Event of the same transition.
 */
final class EventCodec {

    static final String COMPONENT = "escapement";
    static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

    private static final String TRANSITION_ANNOTATION = "kubernaut.ai/transition";

    /** Kubernetes keeps the Events of cluster-scoped objects in this namespace. */
    private static final String CLUSTER_EVENT_NAMESPACE = "default";

    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_MESSAGE_LENGTH = 1_000;
    private static final int HASH_BYTES = 10;

    private EventCodec() {}

    /**
     * Returns the Event of a transition.
     *
     * @param instance the reporting instance
     */
    static Event toEvent(Transition transition, String instance) {
        ObjectReference object = involvedObject(transition);
        String at = transition.at().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(eventName(transition))
                .withNamespace(Optional.ofNullable(object.getNamespace()).orElse(CLUSTER_EVENT_NAMESPACE))
                .addToLabels(MANAGED_BY_LABEL, COMPONENT)
                .addToAnnotations(TRANSITION_ANNOTATION, Json.write(TransitionMapper.toDocument(transition)))
                .endMetadata()
                .withInvolvedObject(object)
                .withType(EventReasons.eventType(transition.type()))
                .withReason(transition.type().name())
                .withMessage(message(transition))
                .withFirstTimestamp(at)
                .withLastTimestamp(at)
                .withCount(1)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(instance)
                .withNewSource(COMPONENT, null)
                .build();
    }

    /** Returns the Event of a ConfigMap that was rejected. It has no transition. */
    static Event policyRefusedEvent(ConfigMap map, String problem, Instant at, String instance) {
        ObjectMeta meta = map.getMetadata();
        return warningBuilder("v1", map, meta.getUid() + "#" + meta.getResourceVersion(), at, instance)
                .withReason(EventReasons.POLICY_REFUSED)
                .withMessage(truncateMessage(problem + "; the previous policy stays in effect"))
                .build();
    }

    /** Returns the Event of an execution whose reconciliation keeps failing. It has no transition. */
    static Event heldUpEvent(WorkflowExecutionResource execution, String problem, Instant at, String instance) {
        return warningBuilder(
                        ApiGroup.API_VERSION, execution, execution.getMetadata().getUid() + "#HeldUp", at, instance)
                .withReason(EventReasons.HELD_UP)
                .withMessage(truncateMessage("the API server rejects the next step, will retry: " + problem))
                .build();
    }

    /** @param subject Events of one object with the same subject get the same name, so only one is created */
    private static EventBuilder warningBuilder(
            String apiVersion, HasMetadata object, String subject, Instant at, String instance) {
        ObjectMeta meta = object.getMetadata();
        String now = at.truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(truncateName(meta.getName()) + "." + Digests.sha256Hex(subject, HASH_BYTES))
                .withNamespace(meta.getNamespace())
                .addToLabels(MANAGED_BY_LABEL, COMPONENT)
                .endMetadata()
                .withInvolvedObject(new ObjectReferenceBuilder()
                        .withApiVersion(apiVersion)
                        .withKind(object.getKind())
                        .withNamespace(meta.getNamespace())
                        .withName(meta.getName())
                        .withUid(meta.getUid())
                        .build())
                .withType(EventReasons.WARNING)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(instance)
                .withNewSource(COMPONENT, null);
    }

    private static String message(Transition transition) {
        return truncateMessage(
                transition.reason().isEmpty()
                        ? transition.message()
                        : transition.reason() + ": " + transition.message());
    }

    private static String truncateMessage(String text) {
        return text.length() <= MAX_MESSAGE_LENGTH ? text : text.substring(0, MAX_MESSAGE_LENGTH) + "…";
    }

    private static ObjectReference involvedObject(Transition transition) {
        return transition
                .execution()
                .map(ref -> new ObjectReferenceBuilder()
                        .withApiVersion(ApiGroup.API_VERSION)
                        .withKind(WorkflowExecution.KIND)
                        .withNamespace(ref.namespace())
                        .withName(ref.name())
                        .withUid(ref.uid())
                        .build())
                .orElseGet(() -> new ObjectReferenceBuilder()
                        .withApiVersion(ApiGroup.API_VERSION)
                        .withKind(RemediationTarget.KIND)
                        .withName(Target.parse(transition.target()).objectName())
                        .build());
    }

    /**
     * Returns a name that is unique per transition: a target can be cleared many times, every other transition happens
     * to an execution once.
     */
    static String eventName(Transition transition) {
        String subject = transition
                .execution()
                .map(ref -> ref.uid() + "#" + transition.type())
                .orElseGet(() -> transition.target() + "#" + transition.type() + "#" + transition.at());
        String name = transition
                .execution()
                .map(ExecutionRef::name)
                .orElseGet(() -> Target.parse(transition.target()).objectName());
        return truncateName(name) + "." + Digests.sha256Hex(subject, HASH_BYTES);
    }

    private static String truncateName(String name) {
        return name.length() <= MAX_NAME_LENGTH
                ? name
                : name.substring(0, MAX_NAME_LENGTH).replaceFirst("[.-]+$", "");
    }

    /** Returns whether an Event holds a transition and so belongs to the journal. */
    static boolean hasTransition(Event event) {
        return transitionAnnotation(event).isPresent();
    }

    private static Optional<String> transitionAnnotation(Event event) {
        return Optional.ofNullable(event.getMetadata().getAnnotations())
                .flatMap(annotations -> Optional.ofNullable(annotations.get(TRANSITION_ANNOTATION)));
    }

    /** Returns the transition of an Event; empty if it holds none or one that this version cannot read. */
    static Optional<Transition> toTransition(Event event) {
        return transitionAnnotation(event).flatMap(EventCodec::parseTransition);
    }

    private static Optional<Transition> parseTransition(String json) {
        try {
            return Optional.of(TransitionMapper.fromDocument(Json.read(json, TransitionEvent.class)));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
