package dev.escapement.kubernetes.run.tekton;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of an object of another program. A missing value, or one of an unexpected type, reads as absent: a newer
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

    /** Returns an empty string if there is no text. */
    String text() {
        return value.filter(String.class::isInstance).map(String.class::cast).orElse("");
    }

    Optional<Integer> integer() {
        return value.filter(Number.class::isInstance).map(Number.class::cast).map(Number::intValue);
    }

    Optional<Instant> instant() {
        try {
            return Optional.of(text()).filter(text -> !text.isEmpty()).map(Instant::parse);
        } catch (DateTimeException e) {
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
