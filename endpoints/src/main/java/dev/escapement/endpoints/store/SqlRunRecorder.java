package dev.escapement.endpoints.store;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records results in one transaction: adds the runs, releases the leases and stores the next plans. */
final class SqlRunRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(SqlRunRecorder.class);

    private static final String REJECTED_TEXT = "the database rejected this text";

    static final BatchColumns<RunResult> BATCH = new BatchColumns<RunResult>()
            .with("r_id", "text", SqlRunRecorder::idOf)
            .with("r_token", "text", result -> result.claim().lease().token())
            .with("r_revision", "bigint", result -> result.claim().revision())
            .with("r_number", "bigint", result -> result.run().number())
            .with("r_attempt", "integer", result -> result.run().attempt())
            .withPlan(RunResult::history, RunResult::nextRun)
            .with(
                    "r_remedy_due",
                    "bigint",
                    result -> result.remediationDue() ? result.run().number() : 0);

    private final Backend backend;
    private final RunHistoryTable runs;
    private final String recordSql;
    private final String outcomeSql;

    SqlRunRecorder(Backend backend, RunHistoryTable runs) {
        this.backend = backend;
        this.runs = runs;
        Dialect dialect = backend.dialect();
        this.recordSql = recordSql(dialect);
        this.outcomeSql = "SELECT r_id, CASE WHEN lease_token = r_token THEN 1 ELSE 0 END,"
                + " (SELECT count(*) FROM runs WHERE endpoint = r_id AND runs.number = r_number AND attempt = r_attempt)"
                + " FROM "
                + BATCH.table(dialect)
                + " LEFT JOIN endpoints ON id = r_id";
    }

    static String recordSql(Dialect dialect) {
        return "UPDATE endpoints SET number = number + 1, attempts = 0, lease_token = '', lease_worker = '',"
                + " lease_since = 0, lease_until = 0, origin = r_origin, failures = r_failures,"
                + " last_slot = r_last_slot, last_ended = r_last_ended, last_retry_after = r_last_retry_after,"
                + " next_at = r_next_at, plan_source = r_plan_source, plan = r_plan,"
                + " remedy_due = r_remedy_due,"
                + " remedy_seen = CASE WHEN r_remedy_due > 0 THEN 0 ELSE remedy_seen END, version = version + 1 FROM "
                + BATCH.table(dialect)
                + " WHERE id = r_id AND lease_token = r_token AND revision = r_revision RETURNING id";
    }

    List<RecordOutcome> record(List<RunResult> results) {
        if (results.isEmpty()) {
            return List.of();
        }
        try {
            return recordBatch(results);
        } catch (UnexpectedStorageException refused) {
            LOG.warn(
                    "Recording {} results failed, will record each on its own: {}",
                    results.size(),
                    refused.getMessage());
            return recordEach(results);
        }
    }

    private List<RecordOutcome> recordBatch(List<RunResult> results) {
        return backend.write(
                        () -> "record %d results, the first of endpoint %s"
                                .formatted(results.size(), results.get(0).run().endpointName()),
                        session -> Optional.of(record(session, results)))
                .orElseThrow();
    }

    /** Records all others before it throws for a result that the database rejects. */
    private List<RecordOutcome> recordEach(List<RunResult> results) {
        List<RecordOutcome> outcomes = new ArrayList<>();
        Optional<UnexpectedStorageException> lastFailure = Optional.empty();
        for (RunResult each : results) {
            try {
                outcomes.add(recordOne(each));
            } catch (UnexpectedStorageException refused) {
                lastFailure = Optional.of(refused);
            }
        }
        if (lastFailure.isPresent()) {
            throw lastFailure.get();
        }
        return outcomes;
    }

    private RecordOutcome recordOne(RunResult result) {
        try {
            return recordBatch(List.of(result)).get(0);
        } catch (UnexpectedStorageException refused) {
            LOG.warn(
                    "Run of endpoint {} is recorded without its texts because the database rejected them",
                    result.run().endpointName(),
                    refused);
            return recordBatch(List.of(withoutTexts(result))).get(0);
        }
    }

    private static RunResult withoutTexts(RunResult result) {
        FinishedRun run = result.run();
        CallResult original = run.callResult();
        CallResult stripped = new CallResult(
                original.failure(),
                original.statusCode(),
                original.isSuccess() ? "" : REJECTED_TEXT,
                REJECTED_TEXT,
                original.bodyBytes(),
                original.retryAfter());
        return new RunResult(
                result.claim(),
                run.withCallResult(stripped),
                result.history(),
                result.nextRun(),
                result.remediationDue());
    }

    private List<RecordOutcome> record(SqlSession session, List<RunResult> results) throws SQLException {
        // Sorted, so that concurrent transactions lock rows in the same order and do not deadlock.
        List<RunResult> sorted = results.stream()
                .sorted(Comparator.comparing(SqlRunRecorder::idOf))
                .toList();
        Set<String> recorded = new HashSet<>(session.list(recordSql, row -> row.getString(1), BATCH.toJson(sorted)));
        if (!recorded.isEmpty()) {
            runs.append(
                    session,
                    results.stream()
                            .filter(each -> recorded.contains(idOf(each)))
                            .map(RunResult::run)
                            .toList());
        }
        Map<String, RecordOutcome> others =
                recorded.size() == results.size() ? Map.of() : readOutcomes(session, sorted, recorded);
        return results.stream()
                .map(SqlRunRecorder::idOf)
                .map(id -> recorded.contains(id)
                        ? RecordOutcome.RECORDED
                        : others.getOrDefault(id, RecordOutcome.LEASE_LOST))
                .toList();
    }

    /**
     * Returns why others were not recorded. If the run is in the history with the same attempt, it was recorded earlier
     * and only the response was lost.
     */
    private Map<String, RecordOutcome> readOutcomes(SqlSession session, List<RunResult> results, Set<String> recorded)
            throws SQLException {
        List<RunResult> others =
                results.stream().filter(each -> !recorded.contains(idOf(each))).toList();
        Map<String, RecordOutcome> outcomes = new HashMap<>();
        session.list(outcomeSql, row -> Map.entry(row.getString(1), readOutcome(row)), BATCH.toJson(others))
                .forEach(each -> outcomes.put(each.getKey(), each.getValue()));
        return outcomes;
    }

    private static String idOf(RunResult result) {
        return result.claim().endpoint().id();
    }

    private static RecordOutcome readOutcome(ResultSet row) throws SQLException {
        if (row.getLong(3) > 0) {
            return RecordOutcome.RECORDED;
        }
        return row.getInt(2) > 0 ? RecordOutcome.ENDPOINT_CHANGED : RecordOutcome.LEASE_LOST;
    }
}
