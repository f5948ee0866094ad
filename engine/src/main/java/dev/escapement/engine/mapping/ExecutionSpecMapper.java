package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.orNull;
import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionSpec.ExecutionSettings;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.WorkflowRef;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps what an execution requests. */
final class ExecutionSpecMapper {

    private static final String PLACEHOLDER = "?";
    private static final WorkflowExecutionSpec EMPTY =
            new WorkflowExecutionSpec(null, null, null, Map.of(), null, null, null, Map.of());
    private static final WorkflowReference NO_WORKFLOW = new WorkflowReference(null, null, null, null, Map.of());
    private static final ExecutionSettings NO_SETTINGS = new ExecutionSettings(null, null, null, Map.of());

    private ExecutionSpecMapper() {}

    static WorkflowExecutionSpec toRecord(ExecutionSpec spec, Map<String, Object> unknownFields) {
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
                unknownFields);
    }

    private static ExecutionSettings settings(ExecutionConfig config) {
        String timeout = orNull(config.timeout().map(DurationText::format));
        return new ExecutionSettings(timeout, config.serviceAccountName(), config.engine(), Map.of());
    }

    static ExecutionSpec fromRecord(FieldParser parser, @Nullable WorkflowExecutionSpec document) {
        WorkflowExecutionSpec spec = document == null ? EMPTY : document;
        ExecutionSettings settings = Optional.ofNullable(spec.executionConfig()).orElse(NO_SETTINGS);
        return new ExecutionSpec(
                workflow(parser, Optional.ofNullable(spec.workflowRef()).orElse(NO_WORKFLOW)),
                text(spec.targetResource()),
                FieldParser.texts(spec.parameters()),
                Optional.ofNullable(spec.remediationRequestRef()),
                confidence(parser, spec),
                text(spec.rationale()),
                new ExecutionConfig(
                        timeout(parser, settings), text(settings.serviceAccountName()), text(settings.engine())));
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
