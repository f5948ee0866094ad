package dev.escapement.kubernetes.run.tekton;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of an object that others write. What is not there, or is not what it should be, reads as absent: a newer
 * Tekton must not stop the watch of all runs.
 */
record LenientNode(Optional<Object> value) {

    static LenientNode of(Object value) {
        return new LenientNode(Optional.ofNullable(value));
    }

    LenientNode at(String... path) {
        LenientNode node = this;
        for (String key : path) {
            node = new LenientNode(Optional.ofNullable(node.map().get(key)));
        }
        return node;
    }

    boolean exists() {
        return value.isPresent();
    }

    /** Empty if there is none. */
    String text() {
        return value.filter(String.class::isInstance).map(String.class::cast).orElse("");
    }

    Optional<Integer> integer() {
        return value.filter(Number.class::isInstance).map(Number.class::cast).map(Number::intValue);
    }

    Optional<Instant> instant() {
        try {
            return Optional.of(text()).filter(text -> !text.isEmpty()).map(Instant::parse);
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    List<LenientNode> items() {
        return value.filter(List.class::isInstance).map(List.class::cast).stream()
                .<LenientNode>flatMap(list -> ((List<?>) list).stream().map(LenientNode::of))
                .toList();
    }

    private Map<?, ?> map() {
        return value.filter(Map.class::isInstance)
                .<Map<?, ?>>map(Map.class::cast)
                .orElse(Map.of());
    }
}
