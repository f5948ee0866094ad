package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.governor.SafeText;
import dev.escapement.kubernetes.run.ImageRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Writes PipelineRuns. */
final class PipelineRunFactory {

    /** The name that a bundle gives to its pipeline. */
    static final String PIPELINE_NAME = "workflow";

    private static final int MAX_QUOTED_LENGTH = 80;

    private static final Pattern TEKTON_VARIABLE =
            Pattern.compile("\\$\\((params|context|tasks|finally|workspaces|steps?|results|inputs|outputs|credentials"
                    + "|resources|artifacts)[.\\[][^)]*\\)");

    private PipelineRunFactory() {}

    static PipelineRun newPendingRun(ExecutionSpec asked, ObjectMeta metadata, String status) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("pipelineRef", bundleRef(ImageRef.of(asked.workflow()).orElseThrow()));
        spec.put("params", params(asked));
        spec.put("status", status);
        String account = asked.config().serviceAccountName();
        if (!account.isEmpty()) {
            spec.put("taskRunTemplate", Map.of("serviceAccountName", account));
        }
        asked.config()
                .timeout()
                .ifPresent(timeout -> spec.put("timeouts", Map.of("pipeline", toTektonDuration(timeout))));
        PipelineRun run = new PipelineRun();
        run.setMetadata(metadata);
        run.setSpec(spec);
        return run;
    }

    /**
     * A value that Tekton would not pass on as it is: wherever a value of the run ends up in its pipeline, Tekton looks
     * for variables of its own once more, and knows no way to write one that is none. Anything else that looks like a
     * variable is left alone.
     */
    static Optional<String> findTektonVariable(ExecutionSpec asked) {
        return asked.parameters().entrySet().stream()
                .flatMap(parameter -> TEKTON_VARIABLE
                        .matcher(parameter.getValue())
                        .results()
                        .map(found -> "parameter %s holds %s, which Tekton would take for a variable of its own"
                                .formatted(
                                        SafeText.quote(parameter.getKey(), MAX_QUOTED_LENGTH),
                                        SafeText.quote(found.group(), MAX_QUOTED_LENGTH))))
                .findFirst();
    }

    private static Map<String, Object> bundleRef(String image) {
        return Map.of(
                "resolver",
                "bundles",
                "params",
                List.of(param("bundle", image), param("name", PIPELINE_NAME), param("kind", "pipeline")));
    }

    private static List<Object> params(ExecutionSpec asked) {
        List<Object> params = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>(asked.parameters());
        values.put("TARGET_RESOURCE", asked.targetResource());
        values.forEach((name, value) -> params.add(param(name, value)));
        return params;
    }

    private static Map<String, Object> param(String name, String value) {
        return Map.of("name", name, "value", value);
    }

    /** Tekton counts in what it takes to be seconds or less; nothing is no timeout there, so it is never that. */
    private static String toTektonDuration(Duration timeout) {
        return Math.max(1, timeout.toMillis()) + "ms";
    }
}
