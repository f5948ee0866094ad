package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.optionalText;
import static dev.escapement.engine.mapping.FieldParser.orNull;
import static dev.escapement.engine.mapping.FieldParser.text;
import static dev.escapement.engine.mapping.FieldParser.texts;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionSpec.ExecutionSettings;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionMetadata;
import dev.escapement.engine.execution.ExecutionMetadata.UnknownFields;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps executions to and from {@link WorkflowExecution}. */
public final class ExecutionMapper {

    private static final ObjectMetadata NO_METADATA = ObjectMetadata.named("", "");
    private static final String PLACEHOLDER = "?";
    private static final WorkflowExecutionSpec NO_SPEC =
            new WorkflowExecutionSpec(null, null, null, Map.of(), null, null, null, null, null, Map.of());
    private static final WorkflowReference NO_WORKFLOW = new WorkflowReference(null, null, null, null, Map.of());
    private static final ExecutionSettings NO_SETTINGS = new ExecutionSettings(null, null, null, Map.of());

    private ExecutionMapper() {}

    /**
     * Returns the document of an execution.
     *
     * @param resourceVersion empty for none
     */
    public static WorkflowExecution toDocument(Execution execution, String resourceVersion) {
        return WorkflowExecution.of(
                metadata(execution, resourceVersion),
                toRecord(execution.spec(), execution.metadata().unknownFields().spec()),
                ExecutionStatusMapper.toRecord(execution));
    }

    private static ObjectMetadata metadata(Execution execution, String resourceVersion) {
        ExecutionMetadata metadata = execution.metadata();
        SortedMap<String, String> annotations = new TreeMap<>(metadata.annotations());
        execution.cancelledBy().ifPresent(actor -> annotations.put(ApiGroup.CANCELLED_BY, actor));
        return new ObjectMetadata(
                execution.ref().name(),
                metadata.generateName().orElse(null),
                execution.ref().namespace(),
                execution.ref().uid(),
                execution.createdAt().toString(),
                // The spec never changes, so it has only one generation.
                1L,
                resourceVersion,
                metadata.labels(),
                annotations,
                metadata.ownerReferences(),
                metadata.finalizers(),
                Map.of());
    }

    private static WorkflowExecutionSpec toRecord(ExecutionSpec spec, Map<String, Object> unknownFields) {
        WorkflowRef ref = spec.workflow();
        ExecutionConfig config = spec.config();
        return new WorkflowExecutionSpec(
                spec.remediationRequest().orElse(null),
                new WorkflowReference(
                        ref.workflowId(), ref.version(), ref.containerImage(), ref.containerDigest(), Map.of()),
                spec.targetResource(),
                spec.parameters(),
                spec.confidence().orElse(null),
                spec.rationale(),
                config.equals(ExecutionConfig.DEFAULT) ? null : settings(config),
                orNull(spec.conflict().onConflict()),
                spec.conflict().waitFor().isPresent() ? spec.conflict().waitForText() : null,
                unknownFields);
    }

    private static ExecutionSettings settings(ExecutionConfig config) {
        String timeout = config.timeoutText();
        return new ExecutionSettings(
                timeout.isEmpty() ? null : timeout, config.serviceAccountName(), config.engine(), Map.of());
    }

    /**
     * Returns the execution of a stored document. Unknown fields of the spec and the status are kept.
     *
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static Execution fromDocument(WorkflowExecution document) {
        FieldParser parser = new FieldParser();
        ObjectMetadata metadata = Optional.ofNullable(document.metadata()).orElse(NO_METADATA);
        ExecutionRef ref = DetailsMapper.executionRef(metadata.namespace(), metadata.name(), metadata.uid());
        Optional<Clearance> clearance = Optional.ofNullable(document.status())
                .map(WorkflowExecutionStatus::blockClearance)
                .map(record -> DetailsMapper.fromRecord(parser, "status.blockClearance", record));
        Instant createdAt = parser.instant("metadata.creationTimestamp", metadata.creationTimestamp());
        UnknownFields unknown = new UnknownFields(otherFields(document.spec()), otherFields(document.status()));
        Execution execution = new Execution(
                ref,
                metadata(metadata, texts(metadata.annotations()), createdAt, unknown),
                fromRecord(parser, document.spec()),
                Optional.ofNullable(metadata.annotations().get(ApiGroup.CANCELLED_BY)),
                clearance,
                ExecutionStatusMapper.fromRecord(parser, document.status()));
        parser.throwIfInvalid(WorkflowExecution.KIND + " " + ref);
        return execution;
    }

    /**
     * Returns the new execution that a document requests. Its status, its cancellation and its creator are ignored.
     *
     * @param document conforms to the schema for requests
     * @param uid names the execution if the document has no name
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static Execution fromRequest(
            WorkflowExecution document, String defaultNamespace, String uid, Instant createdAt) {
        FieldParser parser = new FieldParser();
        ObjectMetadata metadata = Optional.ofNullable(document.metadata()).orElse(NO_METADATA);
        String namespace = optionalText(metadata.namespace()).orElse(defaultNamespace);
        ExecutionRef ref = new ExecutionRef(namespace, name(metadata, uid), uid);
        SortedMap<String, String> annotations = texts(metadata.annotations());
        // A caller cannot choose the name that its request is recorded with.
        annotations.remove(ApiGroup.CREATED_BY);
        UnknownFields unknown = new UnknownFields(otherFields(document.spec()), Map.of());
        Execution execution = Execution.pending(
                ref, metadata(metadata, annotations, createdAt, unknown), fromRecord(parser, document.spec()));
        parser.throwIfInvalid(WorkflowExecution.KIND + " " + ref.name() + " refused");
        return execution;
    }

    private static ExecutionMetadata metadata(
            ObjectMetadata metadata, SortedMap<String, String> annotations, Instant createdAt, UnknownFields unknown) {
        annotations.remove(ApiGroup.CANCELLED_BY);
        return new ExecutionMetadata(
                createdAt,
                optionalText(metadata.generateName()),
                texts(metadata.labels()),
                annotations,
                metadata.ownerReferences(),
                metadata.finalizers(),
                unknown);
    }

    private static Map<String, Object> otherFields(@Nullable ApiRecord record) {
        return record == null ? Map.of() : record.other();
    }

    private static String name(ObjectMetadata metadata, String uid) {
        String unique = uid.replace("-", "").toLowerCase(Locale.ROOT);
        String suffix = unique.substring(0, Math.min(12, unique.length()));
        return optionalText(metadata.name())
                .orElseGet(() -> optionalText(metadata.generateName()).orElse("wfe-") + suffix);
    }

    private static ExecutionSpec fromRecord(FieldParser parser, @Nullable WorkflowExecutionSpec document) {
        WorkflowExecutionSpec spec = document == null ? NO_SPEC : document;
        ExecutionSettings settings = Optional.ofNullable(spec.executionConfig()).orElse(NO_SETTINGS);
        return new ExecutionSpec(
                workflow(parser, Optional.ofNullable(spec.workflowRef()).orElse(NO_WORKFLOW)),
                text(spec.targetResource()),
                texts(spec.parameters()),
                Optional.ofNullable(spec.remediationRequestRef()),
                confidence(parser, spec),
                text(spec.rationale()),
                config(parser, settings),
                conflict(parser, spec));
    }

    private static ConflictSettings conflict(FieldParser parser, WorkflowExecutionSpec spec) {
        Optional<OnConflict> onConflict =
                parser.optionalConstant("spec.onConflict", spec.onConflict(), OnConflict.class);
        Optional<Duration> waitFor = parser.duration("spec.waitFor", spec.waitFor());
        Optional<String> problem = ConflictSettings.findProblem(onConflict, waitFor);
        problem.ifPresent(text -> parser.problem("spec.waitFor", text));
        return problem.isEmpty()
                ? new ConflictSettings(onConflict, waitFor, text(spec.waitFor()))
                : new ConflictSettings(onConflict, Optional.empty());
    }

    private static ExecutionConfig config(FieldParser parser, ExecutionSettings settings) {
        Optional<Duration> timeout = timeout(parser, settings);
        String text = timeout.isPresent() ? text(settings.timeout()) : "";
        return new ExecutionConfig(timeout, text(settings.serviceAccountName()), text(settings.engine()), text);
    }

    private static WorkflowRef workflow(FieldParser parser, WorkflowReference workflow) {
        String id = text(workflow.workflowId());
        if (id.isBlank()) {
            parser.problem("spec.workflowRef.workflowId", "is missing: it names the workflow to run");
        }
        String image = text(workflow.containerImage());
        String digest = text(workflow.containerDigest());
        return new WorkflowRef(id.isBlank() ? PLACEHOLDER : id, text(workflow.version()), image, digest);
    }

    private static Optional<Double> confidence(FieldParser parser, WorkflowExecutionSpec spec) {
        Optional<Double> confidence = Optional.ofNullable(spec.confidence());
        boolean valid = confidence.map(value -> value >= 0 && value <= 1).orElse(true);
        if (!valid) {
            parser.problem("spec.confidence", "is " + confidence.get() + ": it must be from 0 to 1");
        }
        return confidence.filter(value -> valid);
    }

    private static Optional<Duration> timeout(FieldParser parser, ExecutionSettings settings) {
        Optional<Duration> timeout = parser.duration("spec.executionConfig.timeout", settings.timeout());
        if (timeout.filter(Duration::isZero).isPresent()) {
            parser.problem("spec.executionConfig.timeout", "is zero: it must be longer, or left out");
        }
        return timeout.filter(given -> !given.isZero());
    }
}
