package dev.escapement.endpoints.store.sql;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Maps finished runs to and from rows of the table {@code runs}. */
final class RunRowMapper {

    /** All columns with their types, in the order of the table. */
    static final String[] TYPED_COLUMNS = {
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

    static final String COLUMNS = String.join(", ", TYPED_COLUMNS).replaceAll(" (text|bigint|integer|boolean)", "");

    private static final int NO_STATUS = -1;

    private RunRowMapper() {}

    static Map<String, Object> toRow(FinishedRun run) {
        CallResult result = run.callResult();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("endpoint", run.endpointId());
        row.put("number", run.number());
        row.put("name", SafeText.storable(run.endpointName()));
        row.put("attempt", run.attempt());
        row.put("slot", EpochMicros.of(run.slot()));
        row.put("due_at", EpochMicros.of(run.dueAt()));
        row.put("started_at", EpochMicros.of(run.startedAt()));
        row.put("ended_at", EpochMicros.of(run.endedAt()));
        row.put("worker", SafeText.storable(run.workerName()));
        row.put("source", SafeText.storable(run.source()));
        row.put("story", SafeText.storable(run.planJson()));
        row.put("failures_before", run.failuresBefore());
        row.put("failures_after", run.failuresAfter());
        row.put("missed", run.missed());
        row.put("missed_reason", SafeText.storable(run.missedReason()));
        row.put("failed", !result.isSuccess());
        row.put("failure", result.failure().map(Enum::name).orElse(""));
        row.put("status", result.statusCode().orElse(NO_STATUS));
        row.put("error", SafeText.storable(result.error()));
        row.put("excerpt", SafeText.storable(result.excerpt()));
        row.put("bytes", result.bodyBytes());
        row.put("retry_after", TimeColumns.toMicrosOrNone(result.retryAfter()));
        return row;
    }

    static FinishedRun read(ResultSet row) throws SQLException {
        return new FinishedRun(
                row.getString("endpoint"),
                row.getString("name"),
                row.getLong("number"),
                row.getInt("attempt"),
                TimeColumns.toInstant(row.getLong("slot")),
                TimeColumns.toInstant(row.getLong("due_at")),
                TimeColumns.toInstant(row.getLong("started_at")),
                TimeColumns.toInstant(row.getLong("ended_at")),
                row.getString("worker"),
                row.getString("source"),
                row.getString("story"),
                row.getInt("failures_before"),
                row.getInt("failures_after"),
                readCallResult(row),
                row.getLong("missed"),
                row.getString("missed_reason"));
    }

    private static CallResult readCallResult(ResultSet row) throws SQLException {
        String failure = row.getString("failure");
        int status = row.getInt("status");
        return new CallResult(
                failure.isEmpty() ? Optional.empty() : Optional.of(CallResult.Failure.valueOf(failure)),
                status == NO_STATUS ? Optional.empty() : Optional.of(status),
                row.getString("error"),
                row.getString("excerpt"),
                row.getLong("bytes"),
                TimeColumns.toDuration(row.getLong("retry_after")));
    }
}
