package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.Run;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A row of the history, read and written. */
final class RunRows {

    /** In the order of the table, with their types. */
    static final String[] TYPED = {
        "endpoint text",
        "number bigint",
        "name text",
        "attempt integer",
        "slot bigint",
        "due_at bigint",
        "started_at bigint",
        "ended_at bigint",
        "worker text",
        "source text",
        "story text",
        "failures_before integer",
        "failures_after integer",
        "missed bigint",
        "missed_reason text",
        "failed boolean",
        "failure text",
        "status integer",
        "error text",
        "excerpt text",
        "bytes bigint",
        "retry_after bigint"
    };

    static final String COLUMNS = String.join(", ", TYPED).replaceAll(" (text|bigint|integer|boolean)", "");

    private static final int NO_STATUS = -1;

    private RunRows() {}

    static Map<String, Object> write(Run run) {
        Answer answer = run.answer();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("endpoint", run.endpoint());
        row.put("number", run.number());
        row.put("name", CleanText.of(run.name()));
        row.put("attempt", run.attempt());
        row.put("slot", EpochMicros.of(run.slot()));
        row.put("due_at", EpochMicros.of(run.dueAt()));
        row.put("started_at", EpochMicros.of(run.startedAt()));
        row.put("ended_at", EpochMicros.of(run.endedAt()));
        row.put("worker", CleanText.of(run.worker()));
        row.put("source", CleanText.of(run.source()));
        row.put("story", CleanText.of(run.story()));
        row.put("failures_before", run.failuresBefore());
        row.put("failures_after", run.failuresAfter());
        row.put("missed", run.missed());
        row.put("missed_reason", CleanText.of(run.missedReason()));
        row.put("failed", !answer.isSuccess());
        row.put("failure", answer.failure().map(Enum::name).orElse(""));
        row.put("status", answer.status().orElse(NO_STATUS));
        row.put("error", CleanText.of(answer.error()));
        row.put("excerpt", CleanText.of(answer.excerpt()));
        row.put("bytes", answer.bytes());
        row.put("retry_after", Times.of(answer.retryAfter()));
        return row;
    }

    static Run read(ResultSet row) throws SQLException {
        return new Run(
                row.getString("endpoint"),
                row.getString("name"),
                row.getLong("number"),
                row.getInt("attempt"),
                Times.instant(row.getLong("slot")),
                Times.instant(row.getLong("due_at")),
                Times.instant(row.getLong("started_at")),
                Times.instant(row.getLong("ended_at")),
                row.getString("worker"),
                row.getString("source"),
                row.getString("story"),
                row.getInt("failures_before"),
                row.getInt("failures_after"),
                answer(row),
                row.getLong("missed"),
                row.getString("missed_reason"));
    }

    private static Answer answer(ResultSet row) throws SQLException {
        String failure = row.getString("failure");
        int status = row.getInt("status");
        return new Answer(
                failure.isEmpty() ? Optional.empty() : Optional.of(Answer.Failure.valueOf(failure)),
                status == NO_STATUS ? Optional.empty() : Optional.of(status),
                row.getString("error"),
                row.getString("excerpt"),
                row.getLong("bytes"),
                Times.duration(row.getLong("retry_after")));
    }
}
