package dev.escapement.crashtests.cluster.proxy;

import java.util.Locale;
import java.util.Optional;

/** What executes a run. */
public enum RunEngine {
    /** As a {@code PipelineRun}. */
    TEKTON("/pipelineruns", "\"name\":\"pipelinerun/", "\"kind\":\"PipelineRun\""),

    /** As a {@code Job}. */
    JOB("/jobs", "\"name\":\"job/", "\"kind\":\"Job\"");

    private final String path;
    private final String holderReference;
    private final String statusReference;

    RunEngine(String path, String holderReference, String statusReference) {
        this.path = path;
        this.holderReference = holderReference;
        this.statusReference = statusReference;
    }

    /**
     * Returns the engine of the run that a write concerns, by its path or the reference of the run; empty if the write
     * names no run, such as a release.
     */
    public static Optional<RunEngine> of(ProxiedRequest call) {
        String text = call.text().replace(" ", "");
        for (RunEngine engine : values()) {
            if (call.path().contains(engine.path)
                    || text.contains(engine.holderReference)
                    || text.contains(engine.statusReference)) {
                return Optional.of(engine);
            }
        }
        return Optional.empty();
    }

    /** Returns the name in the spec of an execution. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public RunEngine other() {
        return this == TEKTON ? JOB : TEKTON;
    }

    /** Returns the engines alternately. */
    public static RunEngine alternate(long number) {
        return values()[(int) Math.floorMod(number, (long) values().length)];
    }
}
