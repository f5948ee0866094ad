package dev.escapement.api.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks documents (trees of maps, lists, strings, numbers and booleans) against the schema of their kind. Reports all
 * problems at once. A value that is null counts as absent. Immutable and thread-safe.
 */
public final class SchemaValidator {

    /** How many problems of one document are listed. */
    public static final int MAX_VIOLATIONS = 100;

    private final SchemaNode root;

    /**
     * @param schema a structural OpenAPI v3 schema as a tree
     * @throws IllegalArgumentException if it has a keyword that is not supported, or a rule that {@link CelRules} does
     *     not have
     */
    public SchemaValidator(Map<String, ?> schema) {
        root = SchemaNode.parse("", schema);
    }

    /** Returns the problems of a document; empty if there is none. */
    public List<Violation> validate(Map<String, ?> document) {
        return run(document, null, false);
    }

    /** Returns the problems of a document that a user sends: read-only fields may be in it and are not checked. */
    public List<Violation> validateRequest(Map<String, ?> document) {
        return run(document, null, true);
    }

    /**
     * Returns the problems of a new version of a document. In addition to {@link #validate} it applies the rules that
     * compare both versions.
     */
    public List<Violation> validateUpdate(Map<String, ?> before, Map<String, ?> after) {
        return run(after, before, false);
    }

    private List<Violation> run(Map<String, ?> document, @Nullable Map<String, ?> before, boolean request) {
        NodeValidator walk = new NodeValidator(request);
        walk.check("", root, document, before);
        List<Violation> all = walk.violations();
        if (all.size() <= MAX_VIOLATIONS) {
            return List.copyOf(all);
        }
        List<Violation> shown = new ArrayList<>(all.subList(0, MAX_VIOLATIONS));
        shown.add(Violation.of("", (all.size() - MAX_VIOLATIONS) + " more problems are not listed"));
        return List.copyOf(shown);
    }
}
