package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.WorkflowRef;
import java.time.Duration;
import java.util.Optional;

/** What was asked for, as a document. */
final class ExecutionSpecDocument {

    private static final String NO_WORKFLOW = "?";
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_TEXT = 16 << 10;
    private static final int LONGEST_PARAMETERS = 256 << 10;

    private ExecutionSpecDocument() {}

    static DocumentTree write(ExecutionSpec spec) {
        WorkflowRef workflow = spec.workflow();
        ExecutionConfig config = spec.config();
        return new DocumentTree()
                .put("remediationRequestRef", spec.remediationRequest().map(ExecutionSpecDocument::remediation))
                .put(
                        "workflowRef",
                        new DocumentTree()
                                .put("workflowId", workflow.workflowId())
                                .put("version", workflow.version())
                                .put("containerImage", workflow.containerImage())
                                .put("containerDigest", workflow.containerDigest()))
                .put("targetResource", spec.targetResource())
                .put("parameters", spec.parameters())
                .put("confidence", spec.confidence())
                .put("rationale", spec.rationale())
                .put(
                        "executionConfig",
                        new DocumentTree()
                                .put("timeout", config.timeout().map(DurationText::format))
                                .put("serviceAccountName", config.serviceAccountName())
                                .put("engine", config.engine()));
    }

    private static Object remediation(String ref) {
        int slash = ref.indexOf('/');
        return new DocumentTree()
                .put("name", ref.substring(slash + 1))
                .put("namespace", slash < 0 ? "" : ref.substring(0, slash))
                .fields();
    }

    /** Reads a specification; with problems, what it returns is of no use. */
    static ExecutionSpec read(DocumentFields spec) {
        DocumentFields workflow = spec.object("workflowRef");
        DocumentFields config = spec.object("executionConfig");
        String workflowId = workflow.requiredText("workflowId", "it names the workflow to run");
        return new ExecutionSpec(
                new WorkflowRef(
                        workflowId.isBlank() ? NO_WORKFLOW : workflowId,
                        workflow.text("version"),
                        workflow.text("containerImage"),
                        workflow.text("containerDigest")),
                spec.text("targetResource"),
                spec.texts("parameters"),
                spec.optionalObject("remediationRequestRef").flatMap(ExecutionSpecDocument::remediation),
                confidence(spec),
                spec.text("rationale"),
                new ExecutionConfig(timeout(config), config.text("serviceAccountName"), config.text("engine")));
    }

    private static Optional<String> remediation(DocumentFields ref) {
        String name = ref.requiredText("name", "it names the remediation request");
        return name.isBlank()
                ? Optional.empty()
                : Optional.of(ref.optionalText("namespace")
                        .map(namespace -> namespace + "/" + name)
                        .orElse(name));
    }

    private static Optional<Double> confidence(DocumentFields spec) {
        Optional<Double> confidence = spec.number("confidence");
        boolean sane = confidence.isEmpty() || (confidence.get() >= 0 && confidence.get() <= 1);
        if (!sane) {
            spec.problem("confidence", "is " + confidence.get() + ": it must be from 0 to 1");
        }
        return confidence.filter(given -> sane);
    }

    private static Optional<Duration> timeout(DocumentFields config) {
        Optional<Duration> timeout = config.parse("timeout", DurationText::parse);
        if (timeout.filter(Duration::isZero).isPresent()) {
            config.problem("timeout", "is zero: it must be longer, or left out");
        }
        return timeout.filter(given -> !given.isZero());
    }

    /** What a user wrote must be what the schema knows. */
    static void rejectUnknown(DocumentFields spec) {
        spec.only(
                "remediationRequestRef",
                "workflowRef",
                "targetResource",
                "parameters",
                "confidence",
                "rationale",
                "executionConfig");
        spec.object("workflowRef").only("workflowId", "version", "containerImage", "containerDigest");
        spec.object("executionConfig").only("timeout", "serviceAccountName", "engine");
        spec.object("remediationRequestRef").only("name", "namespace", "apiVersion", "kind", "uid");
        spec.shorterThan(LONGEST_TEXT, "targetResource", "rationale");
        spec.object("workflowRef")
                .shorterThan(LONGEST_NAME, "workflowId", "version", "containerImage", "containerDigest");
        spec.object("executionConfig").shorterThan(LONGEST_NAME, "timeout", "serviceAccountName", "engine");
        spec.object("remediationRequestRef").shorterThan(LONGEST_NAME, "name", "namespace");
        spec.mapShorterThan(LONGEST_PARAMETERS, "parameters");
        if (!spec.has("targetResource")) {
            spec.problem("targetResource", "is missing: write namespace/kind/name, or kind/name");
        }
    }
}
