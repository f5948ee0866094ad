package dev.escapement.endpoints.model;

import dev.escapement.common.Json;
import dev.escapement.endpoints.http.CallResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A run as it is shown. */
public final class RunDocumentWriter {

    private RunDocumentWriter() {}

    /** The whole document, with the plan that decided its time. */
    public static Map<String, Object> write(FinishedRun run) {
        CallResult answer = run.callResult();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", run.id());
        document.put("endpoint", run.endpointName());
        document.put("endpointId", run.endpointId());
        document.put("number", run.number());
        document.put("attempt", run.attempt());
        document.put("outcome", answer.isSuccess() ? "SUCCEEDED" : "FAILED");
        answer.failure().ifPresent(failure -> document.put("failure", failure.name()));
        answer.statusCode().ifPresent(status -> document.put("statusCode", status));
        document.put("error", answer.error());
        document.put("slot", run.slot().toString());
        document.put("dueAt", run.dueAt().toString());
        document.put("startedAt", run.startedAt().toString());
        document.put("endedAt", run.endedAt().toString());
        document.put("latenessMillis", run.lateness().toMillis());
        document.put(
                "durationMillis",
                Duration.between(run.startedAt(), run.endedAt()).toMillis());
        document.put("worker", run.workerName());
        document.put("source", run.source());
        document.put("failuresBefore", run.failuresBefore());
        document.put("failuresAfter", run.failuresAfter());
        document.put("responseBytes", answer.bodyBytes());
        document.put("response", answer.excerpt());
        answer.retryAfter().ifPresent(wait -> document.put("retryAfterSeconds", wait.toSeconds()));
        if (run.missed() > 0) {
            document.put("missed", run.missed());
            document.put("missedReason", run.missedReason());
        }
        document.put("plan", Json.readMap(run.planJson()));
        return document;
    }
}
