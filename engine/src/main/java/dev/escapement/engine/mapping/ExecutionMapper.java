package dev.escapement.engine.mapping;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionMetadata;
import dev.escapement.engine.execution.ExecutionMetadata.UnknownFields;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
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

    private ExecutionMapper() {}

    /**
     * Returns the document of an execution.
     *
     * @param resourceVersion empty for none
     */
    public static WorkflowExecution toDocument(Execution execution, String resourceVersion) {
        return WorkflowExecution.of(
                metadata(execution, resourceVersion),
                ExecutionSpecMapper.toRecord(
                        execution.spec(), execution.metadata().unknownFields().spec()),
                ExecutionStatusMapper.toRecord(execution));
    }

    private static ObjectMetadata metadata(Execution execution, String resourceVersion) {
        ExecutionMetadata metadata = execution.metadata();
        SortedMap<String, String> annotations = new TreeMap<>(metadata.annotations());
        execution.cancelledBy().ifPresent(actor -> annotations.put(ApiGroup.CANCELLED_BY, actor));
        return new ObjectMetadata(
                execution.ref().name(),
                null,
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

    /**
     * Returns the execution of a stored document. Unknown fields of the spec and the status are kept.
     *
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static Execution fromDocument(WorkflowExecution document) {
        FieldParser parser = new FieldParser();
        ObjectMetadata metadata = Optional.ofNullable(document.metadata()).orElse(NO_METADATA);
        ExecutionRef ref = ReferenceMapper.executionRef(metadata.namespace(), metadata.name(), metadata.uid());
        Optional<Clearance> clearance = Optional.ofNullable(document.status())
                .map(WorkflowExecutionStatus::blockClearance)
                .map(record -> ReferenceMapper.fromRecord(parser, "status.blockClearance", record));
        Execution execution = new Execution(
                ref,
                metadata(
                        metadata,
                        parser.instant("metadata.creationTimestamp", metadata.creationTimestamp()),
                        new UnknownFields(otherFields(document.spec()), otherFields(document.status()))),
                ExecutionSpecMapper.fromRecord(parser, document.spec()),
                Optional.ofNullable(metadata.annotations().get(ApiGroup.CANCELLED_BY)),
                clearance,
                ExecutionStatusMapper.fromRecord(parser, document.status()));
        parser.throwIfInvalid(WorkflowExecution.KIND + " " + ref);
        return execution;
    }

    /**
     * Returns the new execution that a document requests. Its status and its cancellation are ignored.
     *
     * @param document conforms to the schema for requests
     * @param uid names the execution if the document has no name
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static Execution fromRequest(
            WorkflowExecution document, String defaultNamespace, String uid, Instant createdAt) {
        FieldParser parser = new FieldParser();
        ObjectMetadata metadata = Optional.ofNullable(document.metadata()).orElse(NO_METADATA);
        ExecutionRef ref = new ExecutionRef(
                FieldParser.optionalText(metadata.namespace()).orElse(defaultNamespace), name(metadata, uid), uid);
        Execution execution = Execution.pending(
                ref,
                metadata(metadata, createdAt, new UnknownFields(otherFields(document.spec()), Map.of())),
                ExecutionSpecMapper.fromRecord(parser, document.spec()));
        parser.throwIfInvalid(WorkflowExecution.KIND + " " + ref.name() + " refused");
        return execution;
    }

    private static ExecutionMetadata metadata(ObjectMetadata metadata, Instant createdAt, UnknownFields unknown) {
        SortedMap<String, String> annotations = FieldParser.texts(metadata.annotations());
        annotations.remove(ApiGroup.CANCELLED_BY);
        return new ExecutionMetadata(
                createdAt,
                FieldParser.texts(metadata.labels()),
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
        return FieldParser.optionalText(metadata.name())
                .orElseGet(
                        () -> FieldParser.optionalText(metadata.generateName()).orElse("wfe-") + suffix);
    }
}
