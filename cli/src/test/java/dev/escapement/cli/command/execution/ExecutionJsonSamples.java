package dev.escapement.cli.command.execution;

/** Executions as a server returns them. */
public final class ExecutionJsonSamples {

    public static final String FAILED_EXECUTION = """
            {"metadata":{"name":"one","namespace":"payment","uid":"u-1","creationTimestamp":"2026-11-15T11:57:00Z"},
             "spec":{"workflowRef":{"workflowId":"w","version":"1.2"},"targetResource":"node/n","parameters":{"A":"1"},"rationale":"because"},
             "status":{"phase":"Failed","startTime":"2026-11-15T11:57:01Z","completionTime":"2026-11-15T11:58:31Z",
             "failureDetails":{"reason":"TaskFailed","message":"task drain failed","failedTaskName":"drain","exitCode":3,"wasExecutionFailure":true,"naturalLanguageSummary":"It drained halfway."}}}""";

    private ExecutionJsonSamples() {}
}
