package dev.escapement.kubernetes.run.tekton;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.kubernetes.run.ImageRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Builds PipelineRuns. */
final class PipelineRunFactory {

    /** The name of the pipeline in a bundle. */
    static final String PIPELINE_NAME = "workflow";

    private static final int MAX_QUOTED_LENGTH = 80;

    private static final Pattern TEKTON_VARIABLE =
            Pattern.compile("\\$\\((params|context|tasks|finally|workspaces|steps?|results|inputs|outputs|credentials"
                    + "|resources|artifacts)[.\\[][^)]*\\)");

    private PipelineRunFactory() {}

    static PipelineRun newPendingRun(ExecutionSpec request, ObjectMeta metadata, String status) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("pipelineRef", bundleRef(ImageRef.of(request.workflow()).orElseThrow()));
        spec.put("params", params(request));
        spec.put("status", status);
        String account = request.config().serviceAccountName();
        if (!account.isEmpty()) {
            spec.put("taskRunTemplate", Map.of("serviceAccountName", account));
        }
        request.config()
                .timeout()
                .ifPresent(timeout -> spec.put("timeouts", Map.of("pipeline", toTektonDuration(timeout))));
        PipelineRun run = new PipelineRun();
        run.setMetadata(metadata);
        run.setSpec(spec);
        return run;
    }

    /**
     * Returns an error message if a parameter contains a Tekton variable. Tekton substitutes variables in values,
     * wherever a value is used in the pipeline, and has no way to escape them. Other texts of the form {@code $(…)} are
     * passed on unchanged.
     */
    static Optional<String> findTektonVariable(ExecutionSpec request) {
        return request.parameters().entrySet().stream()
                .flatMap(parameter -> TEKTON_VARIABLE
                        .matcher(parameter.getValue())
                        .results()
                        .map(found -> "parameter %s contains %s, which Tekton would replace as one of its variables"
                                .formatted(
                                        SafeText.quote(parameter.getKey(), MAX_QUOTED_LENGTH),
                                        SafeText.quote(found.group(), MAX_QUOTED_LENGTH))))
                .findFirst();
    }

    private static Map<String, Object> bundleRef(String image) {
        var params = List.of(param("bundle", image), param("name", PIPELINE_NAME), param("kind", "pipeline"));
        return Map.of("resolver", "bundles", "params", params);
    }

    private static List<Map<String, Object>> params(ExecutionSpec request) {
        Map<String, String> values = new LinkedHashMap<>(request.parameters());
        values.put("TARGET_RESOURCE", request.targetResource());
        return values.entrySet().stream()
                .map(value -> param(value.getKey(), value.getValue()))
                .toList();
    }

    private static Map<String, Object> param(String name, String value) {
        return Map.of("name", name, "value", value);
    }

    /** Tekton takes zero for "no timeout", so the result is at least 1 ms. */
    private static String toTektonDuration(Duration timeout) {
        return Math.max(1, timeout.toMillis()) + "ms";
    }
}
