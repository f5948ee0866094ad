package dev.escapement.endpoints.store.sql;

import static dev.escapement.endpoints.store.sql.TimeColumns.toInstant;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Maps finished runs to and from rows of the table {@code runs}. */
final class RunRowMapper {

    private static final int NO_STATUS = -1;

    /** All columns, in the order of the table. */
    static final BatchColumns<FinishedRun> BATCH = new BatchColumns<FinishedRun>()
            .with("endpoint", "text", FinishedRun::endpointId)
            .with("number", "bigint", FinishedRun::number)
            .with("name", "text", run -> SafeText.storable(run.endpointName()))
            .with("attempt", "integer", FinishedRun::attempt)
            .with("slot", "bigint", run -> EpochMicros.of(run.slot()))
            .with("due_at", "bigint", run -> EpochMicros.of(run.dueAt()))
            .with("started_at", "bigint", run -> EpochMicros.of(run.startedAt()))
            .with("ended_at", "bigint", run -> EpochMicros.of(run.endedAt()))
            .with("worker", "text", run -> SafeText.storable(run.workerName()))
            .with("source", "text", run -> SafeText.storable(run.source()))
            .with("story", "text", run -> SafeText.storable(run.planJson()))
            .with("failures_before", "integer", FinishedRun::failuresBefore)
            .with("failures_after", "integer", FinishedRun::failuresAfter)
            .with("missed", "bigint", FinishedRun::missed)
            .with("missed_reason", "text", run -> SafeText.storable(run.missedReason()))
            .with("failed", "boolean", run -> !run.callResult().isSuccess())
            .with(
                    "failure",
                    "text",
                    run -> run.callResult().failure().map(Enum::name).orElse(""))
            .with("status", "integer", run -> run.callResult().statusCode().orElse(NO_STATUS))
            .with("error", "text", run -> SafeText.storable(run.callResult().error()))
            .with("excerpt", "text", run -> SafeText.storable(run.callResult().excerpt()))
            .with("bytes", "bigint", run -> run.callResult().bodyBytes())
            .with(
                    "retry_after",
                    "bigint",
                    run -> TimeColumns.fromDuration(run.callResult().retryAfter()));

    static final String COLUMNS = String.join(", ", BATCH.names());

    private RunRowMapper() {}

    static FinishedRun read(ResultSet row) throws SQLException {
        return new FinishedRun(
                row.getString("endpoint"),
                row.getString("name"),
                row.getLong("number"),
                row.getInt("attempt"),
                toInstant(row.getLong("slot")),
                toInstant(row.getLong("due_at")),
                toInstant(row.getLong("started_at")),
                toInstant(row.getLong("ended_at")),
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
