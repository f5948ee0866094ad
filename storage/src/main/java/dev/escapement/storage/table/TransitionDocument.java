package dev.escapement.storage.table;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A record of the journal as a document. */
final class TransitionDocument {

    private TransitionDocument() {}

    static Map<String, Object> write(Transition transition) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", transition.type().name());
        tree.put("at", transition.at().toString());
        transition
                .execution()
                .ifPresent(ref -> tree.put(
                        "execution", Map.of("namespace", ref.namespace(), "name", ref.name(), "uid", ref.uid())));
        tree.put("workflow", transition.workflow());
        tree.put("target", transition.target());
        tree.put("reason", transition.reason());
        tree.put("message", transition.message());
        tree.put("details", transition.details());
        return tree;
    }

    static Transition read(Map<String, ?> tree) {
        Map<String, String> execution = texts(tree, "execution");
        return new Transition(
                TransitionType.valueOf(text(tree, "type")),
                Instant.parse(text(tree, "at")),
                execution.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ExecutionRef(
                                text(execution, "namespace"), text(execution, "name"), text(execution, "uid"))),
                text(tree, "workflow"),
                text(tree, "target"),
                text(tree, "reason"),
                text(tree, "message"),
                new TreeMap<>(texts(tree, "details")));
    }

    private static String text(Map<String, ?> tree, String key) {
        return tree.get(key) instanceof String text ? text : "";
    }

    private static Map<String, String> texts(Map<String, ?> tree, String key) {
        Map<String, String> texts = new TreeMap<>();
        if (tree.get(key) instanceof Map<?, ?> found) {
            found.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        }
        return texts;
    }
}
