package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunReference;
import dev.escapement.engine.execution.RunRef;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps the reference of a run. On a cluster its name in the engine is {@code kind/namespace/name}; in a document these
 * are three fields. Elsewhere a run has only a name.
 */
public final class RunReferenceMapper {

    private static final String SEPARATOR = "/";
    private static final int PART_COUNT = 3;
    private static final Map<String, String> KINDS = Map.of("pipelinerun", "PipelineRun", "job", "Job");

    private RunReferenceMapper() {}

    static PipelineRunReference toRecord(RunRef run, @Nullable Long epoch) {
        String[] parts = run.name().split(SEPARATOR, PART_COUNT);
        String kind = parts.length == PART_COUNT ? KINDS.get(parts[0]) : null;
        return kind == null || parts[1].isEmpty() || parts[2].isEmpty()
                ? new PipelineRunReference(null, null, run.name(), run.uid(), epoch, Map.of())
                : new PipelineRunReference(kind, parts[1], parts[2], run.uid(), epoch, Map.of());
    }

    /**
     * Returns the run that a document names; empty if it names none completely. The name may have all three parts, as
     * older versions wrote it. The other two fields may be missing, because an API server with an older definition
     * drops them: then the name is all that is known.
     */
    public static Optional<RunRef> fromRecord(PipelineRunReference run) {
        String name = text(run.name());
        String uid = text(run.uid());
        if (name.isEmpty() || uid.isEmpty()) {
            return Optional.empty();
        }
        boolean located = !text(run.kind()).isEmpty() && !text(run.namespace()).isEmpty();
        String kind = text(run.kind()).toLowerCase(Locale.ROOT);
        return Optional.of(new RunRef(located ? String.join(SEPARATOR, kind, text(run.namespace()), name) : name, uid));
    }
}
