package dev.escapement.benchmarks.clustercrash.proxy;

import java.util.List;

/** What a call means in the life of an execution. */
public enum Step {
    /** The run is created, suspended. */
    PREPARE,
    /** The ledger names the execution and its run. */
    TAKE,
    /** The status says Running. */
    RECORD,
    /** The run is let go. */
    START,
    /** The status says how it ended. */
    END,
    /** The ledger is free again, or somebody cleared it. */
    RELEASE,
    /** The status says why not. */
    SKIP,
    /** A run that is going is asked to end. */
    STOP,
    /** A run is deleted. */
    REMOVE,
    /** An entry that remembers nothing is deleted. */
    FORGET,
    /** An Event. */
    TELL,
    /** A watch or a list of what there is. */
    WATCH,
    /** Everything else: reads, leases, requests of people. */
    OTHER;

    /** The six that carry an execution from its request to its end, in their order. */
    public static final List<Step> WRITES = List.of(PREPARE, TAKE, RECORD, START, END, RELEASE);

    static Step of(Call call) {
        String path = call.path();
        if (call.isWatch()) {
            return WATCH;
        } else if (path.contains("/pipelineruns") || path.contains("/jobs")) {
            return ofRun(call);
        } else if (path.contains("/remediationtargets")) {
            return ofEntry(call);
        } else if (path.contains("/workflowexecutions") && path.contains("/status")) {
            return ofStatus(call);
        }
        return path.contains("/events") && call.method().equals("POST") ? TELL : OTHER;
    }

    private static Step ofRun(Call call) {
        return switch (call.method()) {
            case "POST" -> PREPARE;
            case "PATCH" -> isStart(call.text()) ? START : STOP;
            case "DELETE" -> REMOVE;
            default -> OTHER;
        };
    }

    /** Tekton's mark is taken away; a Job gets one. */
    private static boolean isStart(String patch) {
        return patch.contains("\"remove\"") || patch.contains("~1let-go\"");
    }

    private static Step ofEntry(Call call) {
        return switch (call.method()) {
            case "POST", "PUT" -> call.text().contains("\"holder\"") ? TAKE : RELEASE;
            case "DELETE" -> FORGET;
            default -> OTHER;
        };
    }

    private static Step ofStatus(Call call) {
        String body = call.text().replace(" ", "");
        if (call.method().equals("GET")) {
            return OTHER;
        } else if (body.contains("\"phase\":\"Running\"")) {
            return RECORD;
        } else if (body.contains("\"phase\":\"Skipped\"")) {
            return SKIP;
        }
        return body.contains("\"phase\":\"Completed\"") || body.contains("\"phase\":\"Failed\"") ? END : OTHER;
    }
}
