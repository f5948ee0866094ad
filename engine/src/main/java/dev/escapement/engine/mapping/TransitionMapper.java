package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.event.TransitionEvent.ExecutionReference;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Maps transitions to and from {@link TransitionEvent}: journal rows, live events and Kubernetes Events. */
public final class TransitionMapper {

    private TransitionMapper() {}

    public static TransitionEvent toDocument(Transition transition) {
        return new TransitionEvent(
                transition.type().name(),
                transition.at().toString(),
                transition.execution().map(TransitionMapper::toDocument).orElse(null),
                transition.workflow(),
                transition.target(),
                transition.reason(),
                transition.message(),
                transition.details(),
                Map.of());
    }

    public static ExecutionReference toDocument(ExecutionRef ref) {
        return new ExecutionReference(ref.namespace(), ref.name(), ref.uid(), Map.of());
    }

    /**
     * Returns the transition of a document.
     *
     * @throws IllegalArgumentException if the type or the time is missing or invalid; the message lists both
     */
    public static Transition fromDocument(TransitionEvent event) {
        FieldParser parser = new FieldParser();
        TransitionType type = parser.constant("type", event.type(), TransitionType.WorkflowAccepted);
        Instant at = parser.instant("at", event.at());
        parser.throwIfInvalid("transition");
        return new Transition(
                type,
                at,
                Optional.ofNullable(event.execution())
                        .map(ref -> DetailsMapper.executionRef(ref.namespace(), ref.name(), ref.uid())),
                text(event.workflow()),
                text(event.target()),
                text(event.reason()),
                text(event.message()),
                FieldParser.texts(event.details()));
    }
}
