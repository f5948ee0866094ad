package dev.escapement.engine.document;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionMetadata;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An execution as the resource {@code WorkflowExecution}. */
public final class ExecutionDocument {

    /** The kind of the resource. */
    public static final String KIND = "WorkflowExecution";

    /** Who wants the execution to stop; an annotation, because a specification never changes. */
    public static final String CANCELLED_BY = "kubernaut.ai/cancelled-by";

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern NAMESPACE = Pattern.compile(LABEL);
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_QUOTE = 300;
    private static final int LONGEST_ATTACHED = 64 << 10;

    private ExecutionDocument() {}

    /** The whole document. */
    public static Map<String, Object> write(Execution execution, String resourceVersion) {
        SortedMap<String, String> annotations =
                new TreeMap<>(execution.metadata().annotations());
        execution.cancelledBy().ifPresent(by -> annotations.put(CANCELLED_BY, by));
        DocumentTree metadata = ResourceDocument.ref(execution.ref())
                .put("creationTimestamp", execution.createdAt())
                // The specification never changes, so there is only ever one generation of it.
                .put("generation", 1)
                .put("resourceVersion", resourceVersion)
                .put("labels", execution.metadata().labels())
                .put("annotations", annotations);
        return ResourceDocument.of(KIND)
                .put("metadata", metadata)
                .put("spec", ExecutionSpecDocument.write(execution.spec()))
                .put("status", ExecutionStatusDocument.write(execution))
                .fields();
    }

    /**
     * A stored document back. Fields that it does not know are ignored: a newer version may have written them.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Execution read(Map<String, ?> document) {
        List<String> problems = new ArrayList<>();
        DocumentFields root = DocumentFields.root(document, problems);
        DocumentFields metadata = root.object("metadata");
        ExecutionRef ref = ResourceDocument.ref(metadata);
        SortedMap<String, String> annotations = metadata.texts("annotations");
        Optional<String> cancelledBy = Optional.ofNullable(annotations.remove(CANCELLED_BY));
        DocumentFields status = root.object("status");
        Execution execution = new Execution(
                ref,
                new ExecutionMetadata(
                        ResourceDocument.instant(metadata, "creationTimestamp"), metadata.texts("labels"), annotations),
                ExecutionSpecDocument.read(root.object("spec")),
                cancelledBy,
                status.optionalObject("blockClearance").map(TargetDocument::clearance),
                ExecutionStatusDocument.read(status));
        refuse("WorkflowExecution " + ref, problems);
        return execution;
    }

    /**
     * What a user asks for, as an execution that was just asked for. A status in it is ignored.
     *
     * @param uid given by whoever accepts it; a document without a name is named after it
     * @throws IllegalArgumentException if it cannot be accepted; the message lists everything that is wrong, each with
     *     its path, its value and the rule
     */
    public static Execution request(Map<String, ?> document, String defaultNamespace, String uid, Instant now) {
        List<String> problems = new ArrayList<>();
        DocumentFields root =
                DocumentFields.root(document, problems).only("apiVersion", "kind", "metadata", "spec", "status");
        expect(root, "apiVersion", ResourceDocument.API_VERSION);
        expect(root, "kind", KIND);
        DocumentFields metadata = root.object("metadata");
        String name = name(metadata, uid);
        String namespace = metadata.optionalText("namespace").orElse(defaultNamespace);
        check(metadata, "name", name, NAME, LONGEST_NAME);
        check(metadata, "namespace", namespace, NAMESPACE, LONGEST_LABEL);
        metadata.mapShorterThan(LONGEST_ATTACHED, "labels").mapShorterThan(LONGEST_ATTACHED, "annotations");
        DocumentFields spec = root.object("spec");
        ExecutionSpecDocument.rejectUnknown(spec);
        ExecutionSpec asked = ExecutionSpecDocument.read(spec);
        ExecutionMetadata kept = new ExecutionMetadata(now, metadata.texts("labels"), ownAnnotations(metadata));
        refuse("WorkflowExecution " + SafeText.quote(name, LONGEST_QUOTE) + " refused", problems);
        return Execution.pending(new ExecutionRef(namespace, name, uid), kept, asked);
    }

    /** Whoever posts a document that was read before does not cancel with it. */
    private static SortedMap<String, String> ownAnnotations(DocumentFields metadata) {
        SortedMap<String, String> annotations = metadata.texts("annotations");
        annotations.remove(CANCELLED_BY);
        return annotations;
    }

    private static String name(DocumentFields metadata, String uid) {
        String unique = uid.replace("-", "").toLowerCase(Locale.ROOT);
        String suffix = unique.substring(0, Math.min(12, unique.length()));
        return metadata.optionalText("name")
                .orElseGet(() -> metadata.optionalText("generateName").orElse("wfe-") + suffix);
    }

    private static void expect(DocumentFields root, String key, String wanted) {
        String given = root.text(key);
        if (!given.equals(wanted)) {
            root.problem(key, "is " + SafeText.quote(given, LONGEST_QUOTE) + ": it must be " + wanted);
        }
    }

    private static void check(DocumentFields metadata, String key, String value, Pattern pattern, int longest) {
        if (value.length() > longest || !pattern.matcher(value).matches()) {
            metadata.problem(
                    key,
                    "is %s: it must be a Kubernetes name (%s) of at most %d characters"
                            .formatted(SafeText.quote(value, LONGEST_QUOTE), pattern.pattern(), longest));
        }
    }

    private static void refuse(String what, List<String> problems) {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(what + ": " + String.join("; ", problems));
        }
    }
}
