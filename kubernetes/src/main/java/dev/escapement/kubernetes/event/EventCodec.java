package dev.escapement.kubernetes.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Between transitions and Events. The name of an Event follows from what it tells: whoever tells it again finds it
 * told.
 */
final class EventCodec {

    static final String COMPONENT = "escapement";
    static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

    private static final String TRANSITION_ANNOTATION = "kubernaut.ai/transition";
    private static final String API_VERSION = "kubernaut.ai/v1alpha1";

    /** Events of objects that have no namespace live here, by a rule of Kubernetes. */
    private static final String CLUSTER_EVENT_NAMESPACE = "default";

    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_MESSAGE_LENGTH = 1_000;
    private static final int HASH_BYTES = 10;
    private static final JsonMapper JSON = new JsonMapper();

    private EventCodec() {}

    /**
     * The Event of a transition.
     *
     * @param instance who tells it
     */
    static Event toEvent(Transition told, String instance) {
        ObjectReference about = involvedObject(told);
        String at = told.at().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(eventName(told))
                .withNamespace(Optional.ofNullable(about.getNamespace()).orElse(CLUSTER_EVENT_NAMESPACE))
                .addToLabels(MANAGED_BY_LABEL, COMPONENT)
                .addToAnnotations(TRANSITION_ANNOTATION, toJson(told))
                .endMetadata()
                .withInvolvedObject(about)
                .withType(EventReasons.eventType(told.type()))
                .withReason(told.type().name())
                .withMessage(message(told))
                .withFirstTimestamp(at)
                .withLastTimestamp(at)
                .withCount(1)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(instance)
                .withNewSource(COMPONENT, null)
                .build();
    }

    /** That a ConfigMap cannot be used. It tells no transition. */
    static Event policyRefusedEvent(ConfigMap map, String problem, Instant at, String instance) {
        ObjectMeta meta = map.getMetadata();
        return warningBuilder("v1", map, meta.getUid() + "#" + meta.getResourceVersion(), at, instance)
                .withReason(EventReasons.POLICY_REFUSED)
                .withMessage(truncateMessage(problem + "; the old rules stay"))
                .build();
    }

    /** That an execution does not get on, and nobody has decided that. It tells no transition either. */
    static Event heldUpEvent(WorkflowExecution execution, String problem, Instant at, String instance) {
        return warningBuilder(API_VERSION, execution, execution.getMetadata().getUid() + "#HeldUp", at, instance)
                .withReason(EventReasons.HELD_UP)
                .withMessage(truncateMessage(
                        "the API server refuses what has to be done next, it is tried again: " + problem))
                .build();
    }

    /** @param subject whatever has the same one is told once */
    private static EventBuilder warningBuilder(
            String apiVersion, HasMetadata about, String subject, Instant at, String instance) {
        ObjectMeta meta = about.getMetadata();
        String now = at.truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(truncateName(meta.getName()) + "." + hash(subject))
                .withNamespace(meta.getNamespace())
                .addToLabels(MANAGED_BY_LABEL, COMPONENT)
                .endMetadata()
                .withInvolvedObject(new ObjectReferenceBuilder()
                        .withApiVersion(apiVersion)
                        .withKind(about.getKind())
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

    private static String message(Transition told) {
        return truncateMessage(told.reason().isEmpty() ? told.message() : told.reason() + ": " + told.message());
    }

    private static String truncateMessage(String text) {
        return text.length() <= MAX_MESSAGE_LENGTH ? text : text.substring(0, MAX_MESSAGE_LENGTH) + "…";
    }

    private static ObjectReference involvedObject(Transition told) {
        return told.execution()
                .map(ref -> new ObjectReferenceBuilder()
                        .withApiVersion(API_VERSION)
                        .withKind("WorkflowExecution")
                        .withNamespace(ref.namespace())
                        .withName(ref.name())
                        .withUid(ref.uid())
                        .build())
                .orElseGet(() -> new ObjectReferenceBuilder()
                        .withApiVersion(API_VERSION)
                        .withKind("RemediationTarget")
                        .withName(Target.parse(told.target()).objectName())
                        .build());
    }

    /** Unique for what happened. A target is cleared any number of times; all else happens to an execution once. */
    static String eventName(Transition told) {
        String subject = told.execution()
                .map(ref -> ref.uid() + "#" + told.type())
                .orElseGet(() -> told.target() + "#" + told.type() + "#" + told.at());
        String name = told.execution()
                .map(ExecutionRef::name)
                .orElseGet(() -> Target.parse(told.target()).objectName());
        return truncateName(name) + "." + hash(subject);
    }

    private static String truncateName(String name) {
        return name.length() <= MAX_NAME_LENGTH
                ? name
                : name.substring(0, MAX_NAME_LENGTH).replaceFirst("[.-]+$", "");
    }

    static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    private static String toJson(Transition told) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", told.type().name());
        document.put("at", told.at().toString());
        told.execution().ifPresent(ref -> {
            document.put("namespace", ref.namespace());
            document.put("name", ref.name());
            document.put("uid", ref.uid());
        });
        document.put("workflow", told.workflow());
        document.put("target", told.target());
        document.put("reason", told.reason());
        document.put("message", told.message());
        document.put("details", told.details());
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("texts can be written", impossible);
        }
    }

    /** Whether an Event tells a transition, and so belongs to the journal. */
    static boolean hasTransition(Event event) {
        return transitionAnnotation(event).isPresent();
    }

    private static Optional<String> transitionAnnotation(Event event) {
        return Optional.ofNullable(event.getMetadata().getAnnotations())
                .flatMap(annotations -> Optional.ofNullable(annotations.get(TRANSITION_ANNOTATION)));
    }

    /** The transition that an Event tells; empty if it is not one of ours, or of a later version. */
    static Optional<Transition> toTransition(Event event) {
        return transitionAnnotation(event).flatMap(EventCodec::parseTransition);
    }

    private static Optional<Transition> parseTransition(String json) {
        try {
            Map<String, Object> document = JSON.readValue(json, new TypeReference<>() {});
            Optional<ExecutionRef> execution = document.containsKey("uid")
                    ? Optional.of(new ExecutionRef(
                            text(document, "namespace"), text(document, "name"), text(document, "uid")))
                    : Optional.empty();
            TreeMap<String, String> details = new TreeMap<>();
            if (document.get("details") instanceof Map<?, ?> given) {
                given.forEach((key, value) -> details.put(key.toString(), value.toString()));
            }
            return Optional.of(new Transition(
                    TransitionType.valueOf(text(document, "type")),
                    Instant.parse(text(document, "at")),
                    execution,
                    text(document, "workflow"),
                    text(document, "target"),
                    text(document, "reason"),
                    text(document, "message"),
                    details));
        } catch (JsonProcessingException | RuntimeException strange) {
            return Optional.empty();
        }
    }

    private static String text(Map<String, Object> document, String key) {
        return Optional.ofNullable(document.get(key)).map(Object::toString).orElse("");
    }
}
