package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Verdict;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Results: the run, the end of the lease and the next plan in one transaction, for as many as there are. */
final class Recorder {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    private static final String NOT_KEPT = "the database did not take this text";

    private final Backend backend;
    private final RunTable runs;
    private final String record;
    private final String judge;

    Recorder(Backend backend, RunTable runs) {
        this.backend = backend;
        this.runs = runs;
        BatchSyntax batches = backend.dialect().batchSyntax();
        this.record = record(batches);
        this.judge = "SELECT r_id, CASE WHEN lease_token = r_token THEN 1 ELSE 0 END,"
                + " (SELECT count(*) FROM runs WHERE endpoint = r_id AND runs.number = r_number AND attempt = r_attempt)"
                + " FROM "
                + batches.tableExpression("r_id text", "r_token text", "r_number bigint", "r_attempt integer")
                + " LEFT JOIN endpoints ON id = r_id";
    }

    static String record(BatchSyntax batches) {
        return "UPDATE endpoints SET number = number + 1, attempts = 0, lease_token = '', lease_worker = '',"
                + " lease_since = 0, lease_until = 0, origin = r_origin, failures = r_failures,"
                + " last_slot = r_last_slot, last_ended = r_last_ended, last_retry_after = r_last_retry_after,"
                + " next_at = r_next_at, plan_source = r_plan_source, plan = r_plan,"
                + " remedy_due = r_remedy_due,"
                + " remedy_seen = CASE WHEN r_remedy_due > 0 THEN 0 ELSE remedy_seen END, version = version + 1 FROM "
                + batches.tableExpression(
                        "r_id text",
                        "r_token text",
                        "r_revision bigint",
                        "r_origin bigint",
                        "r_failures integer",
                        "r_last_slot bigint",
                        "r_last_ended bigint",
                        "r_last_retry_after bigint",
                        "r_next_at bigint",
                        "r_plan_source text",
                        "r_plan text",
                        "r_remedy_due bigint")
                + " WHERE id = r_id AND lease_token = r_token AND revision = r_revision RETURNING id";
    }

    List<Verdict> record(List<Result> results) {
        if (results.isEmpty()) {
            return List.of();
        }
        try {
            return together(results);
        } catch (UnexpectedStorageException refused) {
            LOG.warn("{} results are recorded one by one: {}", results.size(), refused.getMessage());
            return apart(results);
        }
    }

    private List<Verdict> together(List<Result> results) {
        return backend.write(
                        () -> "record %d results, the first of endpoint %s"
                                .formatted(results.size(), results.get(0).run().name()),
                        session -> Optional.of(record(session, results)))
                .orElseThrow();
    }

    /** One that is refused must not hold up its neighbours: they are recorded before anything is said about it. */
    private List<Verdict> apart(List<Result> results) {
        List<Verdict> verdicts = new ArrayList<>();
        Optional<UnexpectedStorageException> failed = Optional.empty();
        for (Result each : results) {
            try {
                verdicts.add(alone(each));
            } catch (UnexpectedStorageException refused) {
                failed = Optional.of(refused);
            }
        }
        if (failed.isPresent()) {
            throw failed.get();
        }
        return verdicts;
    }

    private Verdict alone(Result result) {
        try {
            return together(List.of(result)).get(0);
        } catch (UnexpectedStorageException refused) {
            LOG.warn(
                    "a run of endpoint {} is recorded without its texts",
                    result.run().name(),
                    refused);
            return together(List.of(withoutTexts(result))).get(0);
        }
    }

    private static Result withoutTexts(Result result) {
        Run run = result.run();
        Answer was = run.answer();
        Answer plain = new Answer(
                was.failure(), was.status(), was.isSuccess() ? "" : NOT_KEPT, NOT_KEPT, was.bytes(), was.retryAfter());
        Run kept = new Run(
                run.endpoint(),
                run.name(),
                run.number(),
                run.attempt(),
                run.slot(),
                run.dueAt(),
                run.startedAt(),
                run.endedAt(),
                run.worker(),
                run.source(),
                run.story(),
                run.failuresBefore(),
                run.failuresAfter(),
                plain,
                run.missed(),
                run.missedReason());
        return new Result(result.claim(), kept, result.history(), result.next(), result.remedyDue());
    }

    private List<Verdict> record(SqlSession session, List<Result> results) throws SQLException {
        // In one order for all, so that two who write several do not wait for each other.
        List<Map<String, Object>> batch = results.stream()
                .sorted(Comparator.comparing(each -> each.claim().endpoint().id()))
                .map(Recorder::row)
                .toList();
        Set<String> recorded = new HashSet<>(session.list(record, row -> row.getString(1), DocumentJson.write(batch)));
        if (!recorded.isEmpty()) {
            runs.append(
                    session,
                    results.stream()
                            .filter(each ->
                                    recorded.contains(each.claim().endpoint().id()))
                            .map(Result::run)
                            .toList());
        }
        Map<String, Verdict> others = recorded.size() == results.size() ? Map.of() : judge(session, batch, recorded);
        return results.stream()
                .map(each -> each.claim().endpoint().id())
                .map(id -> recorded.contains(id) ? Verdict.RECORDED : others.getOrDefault(id, Verdict.LOST))
                .toList();
    }

    private static Map<String, Object> row(Result result) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r_id", result.claim().endpoint().id());
        row.put("r_token", result.claim().lease().token());
        row.put("r_revision", result.claim().revision());
        row.put("r_number", result.run().number());
        row.put("r_attempt", result.run().attempt());
        EndpointRows.plan(row, result.history(), result.next());
        row.put("r_remedy_due", result.remedyDue() ? result.run().number() : 0);
        return row;
    }

    /**
     * Why others were not recorded. One whose run is there was recorded before, and its holder did not hear of it:
     * every attempt is one holder's.
     */
    private Map<String, Verdict> judge(SqlSession session, List<Map<String, Object>> batch, Set<String> recorded)
            throws SQLException {
        List<Map<String, Object>> others = batch.stream()
                .filter(row -> !recorded.contains(row.get("r_id")))
                .toList();
        Map<String, Verdict> verdicts = new HashMap<>();
        session.list(judge, row -> Map.entry(row.getString(1), verdict(row)), DocumentJson.write(others))
                .forEach(each -> verdicts.put(each.getKey(), each.getValue()));
        return verdicts;
    }

    private static Verdict verdict(ResultSet row) throws SQLException {
        if (row.getLong(3) > 0) {
            return Verdict.RECORDED;
        }
        return row.getInt(2) > 0 ? Verdict.CHANGED : Verdict.LOST;
    }
}
