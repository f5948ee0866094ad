package dev.escapement.crashtests.cluster.proxy;

import java.util.List;

/** The step of an execution that a request to the API server belongs to. */
public enum ExecutionStep {
    /** The run is created, suspended. */
    PREPARE,
    /** The ledger names the execution and its run. */
    ACQUIRE,
    /** The status becomes Running. */
    RECORD,
    /** The run is started. */
    START,
    /** The status becomes Completed or Failed. */
    END,
    /** The ledger entry becomes free, or is cleared. */
    RELEASE,
    /** The status becomes Skipped. */
    SKIP,
    /** An active run is stopped. */
    STOP,
    /** A run is deleted. */
    REMOVE_RUN,
    /** An idle ledger entry is deleted. */
    REMOVE_ENTRY,
    /** An Event is created. */
    PUBLISH_EVENT,
    /** A watch. */
    WATCH,
    /** Everything else: reads, leases, requests of users. */
    OTHER;

    /** The six writes of an execution that runs, in their order. */
    public static final List<ExecutionStep> WRITES = List.of(PREPARE, ACQUIRE, RECORD, START, END, RELEASE);

    static ExecutionStep classify(ProxiedRequest call) {
        String path = call.path();
        if (call.isWatch()) {
            return WATCH;
        } else if (path.contains("/pipelineruns") || path.contains("/jobs")) {
            return classifyRunWrite(call);
        } else if (path.contains("/remediationtargets")) {
            return classifyEntryWrite(call);
        } else if (path.contains("/workflowexecutions") && path.contains("/status")) {
            return classifyStatusWrite(call);
        }
        return path.contains("/events") && call.method().equals("POST") ? PUBLISH_EVENT : OTHER;
    }

    private static ExecutionStep classifyRunWrite(ProxiedRequest call) {
        return switch (call.method()) {
            case "POST" -> PREPARE;
            case "PATCH" -> isStart(call.text()) ? START : STOP;
            case "DELETE" -> REMOVE_RUN;
            default -> OTHER;
        };
    }

    /** The start of a PipelineRun removes its pending status; the start of a Job adds an annotation. */
    private static boolean isStart(String patch) {
        return patch.contains("\"remove\"") || patch.contains("~1let-go\"");
    }

    private static ExecutionStep classifyEntryWrite(ProxiedRequest call) {
        return switch (call.method()) {
            case "POST", "PUT" -> call.text().contains("\"holder\"") ? ACQUIRE : RELEASE;
            case "DELETE" -> REMOVE_ENTRY;
            default -> OTHER;
        };
    }

    private static ExecutionStep classifyStatusWrite(ProxiedRequest call) {
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
