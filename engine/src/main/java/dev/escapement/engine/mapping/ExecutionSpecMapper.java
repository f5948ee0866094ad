package dev.escapement.engine.mapping;

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

    static WorkflowExecutionSpec toRecord(ExecutionSpec spec) {
        WorkflowRef workflow = spec.workflow();
        return new WorkflowExecutionSpec(
                spec.remediationRequest().orElse(null),
                new WorkflowReference(
                        workflow.workflowId(),
                        FieldParser.orNull(workflow.version()),
                        FieldParser.orNull(workflow.containerImage()),
                        FieldParser.orNull(workflow.containerDigest()),
                        Map.of()),
                spec.targetResource(),
                spec.parameters(),
                spec.confidence().orElse(null),
                FieldParser.orNull(spec.rationale()),
                settings(spec.config()),
                Map.of());
    }

    private static @Nullable ExecutionSettings settings(ExecutionConfig config) {
        return config.equals(ExecutionConfig.DEFAULT)
                ? null
                : new ExecutionSettings(
                        FieldParser.orNull(config.timeout().map(DurationText::format)),
                        FieldParser.orNull(config.serviceAccountName()),
                        FieldParser.orNull(config.engine()),
                        Map.of());
    }

    static ExecutionSpec fromRecord(FieldParser parser, @Nullable WorkflowExecutionSpec document) {
        WorkflowExecutionSpec spec = document == null ? EMPTY : document;
        WorkflowReference workflow = Optional.ofNullable(spec.workflowRef()).orElse(NO_WORKFLOW);
        ExecutionSettings settings = Optional.ofNullable(spec.executionConfig()).orElse(NO_SETTINGS);
        String workflowId = FieldParser.text(workflow.workflowId());
        if (workflowId.isBlank()) {
            parser.problem("spec.workflowRef.workflowId", "is missing: it names the workflow to run");
        }
        return new ExecutionSpec(
                new WorkflowRef(
                        workflowId.isBlank() ? PLACEHOLDER : workflowId,
                        FieldParser.text(workflow.version()),
                        FieldParser.text(workflow.containerImage()),
                        FieldParser.text(workflow.containerDigest())),
                FieldParser.text(spec.targetResource()),
                FieldParser.texts(spec.parameters()),
                Optional.ofNullable(spec.remediationRequestRef()),
                confidence(parser, spec),
                FieldParser.text(spec.rationale()),
                new ExecutionConfig(
                        timeout(parser, settings),
                        FieldParser.text(settings.serviceAccountName()),
                        FieldParser.text(settings.engine())));
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
