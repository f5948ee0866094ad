package dev.escapement.cli.command.endpoint;

/** Endpoints and runs as a server returns them. */
final class EndpointJsonSamples {

    static final String FAILING_ENDPOINT = """
            {"name":"health","description":"is it up","url":"https://user:pw@api.example.com:8443/health?token=s3cret","method":"POST",
             "headers":{"Accept":"text/plain","Authorization":"(hidden)"},"body":"ping","timeout":"30s","interval":"1m",
             "minInterval":"10s","maxInterval":"1h","signingKey":"(hidden)",
             "remediation":{"after":3,"workflow":"restart","target":"node/n","namespace":"payment","parameters":{}},
             "id":"e1","createdAt":"2026-11-15T10:00:00Z","revision":4,
             "hints":[{"interval":"10s","givenAt":"2026-11-15T10:00:00Z","expiresAt":"2026-11-15T11:00:00Z","by":"ada","reason":"deployment","state":"EXPIRED"}],
             "status":{"state":"FAILING","failures":2,"runs":7,
               "lastRun":{"id":"e1-7","slot":"2026-11-15T11:58:00Z","endedAt":"2026-11-15T11:58:01Z"},
               "nextRun":{"id":"e1-8","at":"2026-11-15T12:02:00Z","source":"BACKOFF"},
               "plan":{"at":"2026-11-15T12:02:00Z","source":"BACKOFF","basis":"every 1m, stretched by 2 failures","clamp":"MAX","clampedFrom":"2026-11-15T12:03:00Z",
                 "rejected":[{"source":"HINT_INTERVAL","at":"2026-11-15T12:00:10Z","basis":"every 10s, asked for by ada","by":"ada","rule":"EXPIRED","why":"it has expired"}],
                 "withoutHints":{"at":"2026-11-15T12:02:00Z","source":"BACKOFF"},"explanation":"Runs next at 2026-11-15T12:02:00Z."},
               "remediation":{"run":7,"at":"2026-11-15T11:58:02Z","state":"REQUESTED","execution":"health-fix","executionPhase":"Running","reason":""}}}""";

    static final String PAUSED_ENDPOINT = """
            {"name":"quiet","url":"https://quiet.example.com/","method":"GET","headers":{},"body":"","timeout":"30s","cron":"0 3 * * *","timeZone":"UTC",
             "pausedUntil":"9999-12-31T00:00:00Z","id":"e2","hints":[],
             "status":{"state":"PAUSED","failures":0,"runs":0,"nextRun":{"id":"e2-1","at":"9999-12-31T00:00:00Z","source":"PAUSE"},
               "pause":{"until":"9999-12-31T00:00:00Z","by":"ada","reason":"new cables"},
               "plan":{"at":"9999-12-31T00:00:00Z","source":"PAUSE","basis":"paused","rejected":[],"withoutHints":{"at":"9999-12-31T00:00:00Z","source":"PAUSE"}}}}""";

    private EndpointJsonSamples() {}

    /** A run of {@code health}. */
    static String runJson(int number, String outcome, String slot) {
        boolean failed = outcome.equals("FAILED");
        return """
                {"id":"e1-%1$d","endpoint":"health","endpointId":"e1","number":%1$d,"attempt":1,"outcome":"%2$s",%3$s
                 "slot":"%4$s","dueAt":"%4$s","startedAt":"%4$s","endedAt":"%4$s","latenessMillis":4,"durationMillis":120,
                 "worker":"server-1","source":"BASELINE_INTERVAL","failuresBefore":0,"failuresAfter":%5$d,"responseBytes":9,
                 "response":"first\\nsec\\u001b[31mond","plan":{"at":"%4$s","source":"BASELINE_INTERVAL","basis":"every 1m","rejected":[]}}""".formatted(
                        number,
                        outcome,
                        failed
                                ? "\"failure\":\"STATUS\",\"statusCode\":503,\"error\":\"status 503\","
                                : "\"statusCode\":200,\"error\":\"\",",
                        slot,
                        failed ? 1 : 0);
    }

    static String listJson(String... items) {
        return "{\"items\":[%s],\"metadata\":{}}".formatted(String.join(",", items));
    }
}
