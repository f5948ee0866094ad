package dev.escapement.crashtests.cluster.proxy;

import java.util.List;

/** What a call means in the life of an execution. */
public enum ExecutionStep {
    /** The run is created, suspended. */
    PREPARE,
    /** The ledger names the execution and its run. */
    ACQUIRE,
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
    REMOVE_RUN,
    /** An entry that remembers nothing is deleted. */
    REMOVE_ENTRY,
    /** An Event. */
    PUBLISH_EVENT,
    /** A watch or a list of what there is. */
    WATCH,
    /** Everything else: reads, leases, requests of people. */
    OTHER;

    /** The six that carry an execution from its request to its end, in their order. */
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

    /** Tekton's mark is taken away; a Job gets one. */
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
