package dev.escapement.crashtests.cluster.proxy;

import java.util.Locale;
import java.util.Optional;

/** What carries out a run. */
public enum RunEngine {
    /** As a {@code PipelineRun}. */
    TEKTON("/pipelineruns", "\"name\":\"pipelinerun/"),

    /** As a {@code Job}. */
    JOB("/jobs", "\"name\":\"job/");

    private final String path;
    private final String reference;

    RunEngine(String path, String reference) {
        this.path = path;
        this.reference = reference;
    }

    /**
     * Whose run a write is about, which it says by its path or by the reference of the run; empty if it names no run,
     * as a release does not.
     */
    public static Optional<RunEngine> of(ProxiedRequest call) {
        String text = call.text().replace(" ", "");
        for (RunEngine engine : values()) {
            if (call.path().contains(engine.path) || text.contains(engine.reference)) {
                return Optional.of(engine);
            }
        }
        return Optional.empty();
    }

    /** As an execution asks for it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The other one. */
    public RunEngine other() {
        return this == TEKTON ? JOB : TEKTON;
    }

    /** One of them in turn. */
    public static RunEngine alternate(long number) {
        return values()[(int) Math.floorMod(number, (long) values().length)];
    }
}
