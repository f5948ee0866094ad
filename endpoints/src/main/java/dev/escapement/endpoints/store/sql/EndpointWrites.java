package dev.escapement.endpoints.store.sql;

import dev.escapement.common.Json;
import dev.escapement.endpoints.model.RemediationAttemptCodec;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointChange;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Applies changes by users, all or none, with the same number of statements for one as for thousands. */
final class EndpointWrites {

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final String findSql;
    private final String lockSql;
    private final String updateSql;
    private final String insertSql;

    EndpointWrites(Backend backend, EndpointRowMapper rows) {
        this.backend = backend;
        this.rows = rows;
        BatchSyntax batches = backend.dialect().batchSyntax();
        this.findSql = "SELECT " + EndpointRowMapper.COLUMNS + " FROM endpoints WHERE NOT archived AND name IN"
                + " (SELECT r_name FROM " + batches.tableExpression("r_name text") + ") ORDER BY id"
                + backend.dialect().forUpdate();
        this.lockSql = "SELECT id FROM endpoints WHERE id IN (SELECT r_id FROM " + batches.tableExpression("r_id text")
                + ") ORDER BY id" + backend.dialect().forUpdate();
        String assignments =
                writableColumns().map(column -> column + " = r_" + column).collect(Collectors.joining(", "));
        this.updateSql = "UPDATE endpoints SET " + assignments
                + ", revision = revision + 1, version = version + 1 FROM "
                + batches.tableExpression(withColumns("r_version bigint")) + " WHERE id = r_id AND version = r_version";
        String columns = "id, " + writableColumns().collect(Collectors.joining(", "));
        this.insertSql = "INSERT INTO endpoints (" + columns + ", created_at, version, revision, number, lease_token,"
                + " lease_worker, lease_since, lease_until, due_at, attempts, remedy_due, remedy_seen, remedy_run,"
                + " remedy_requested, remedy) SELECT r_"
                + columns.replace(", ", ", r_")
                + ", r_created_at, 1, 1, r_number, '', '', 0, 0, 0, 0, 0, 0, r_remedy_run, r_requested, r_remedy FROM "
                + batches.tableExpression(withColumns(
                        "r_created_at bigint",
                        "r_number bigint",
                        "r_remedy_run bigint",
                        "r_requested boolean",
                        "r_remedy text"))
                + " WHERE true ON CONFLICT DO NOTHING";
    }

    /** All writable columns except the id. */
    private static Stream<String> writableColumns() {
        return Arrays.stream(EndpointRowMapper.WRITABLE_COLUMNS)
                .skip(1)
                .map(typed -> typed.substring(2, typed.indexOf(' ')));
    }

    private static String[] withColumns(String... more) {
        return Stream.concat(Arrays.stream(EndpointRowMapper.WRITABLE_COLUMNS), Arrays.stream(more))
                .toArray(String[]::new);
    }

    /** Returns the number of changes applied; empty if a name is taken. */
    OptionalInt apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> edit) {
        String nameBatch = Json.write(
                names.stream().map(name -> Map.of("r_name", SearchKey.of(name))).toList());
        return backend.write(() -> "change %d endpoints by name".formatted(names.size()), session -> {
                    Map<String, StoredEndpoint> existing = new HashMap<>();
                    session.list(findSql, rows::readStored, nameBatch)
                            .forEach(each ->
                                    existing.put(each.endpoint().definition().name(), each));
                    List<EndpointChange> changes = edit.apply(Map.copyOf(existing));
                    requireRead(changes, existing);
                    return writeAll(session, changes) ? Optional.of(changes.size()) : Optional.empty();
                })
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /** Endpoints that were not read are not locked, so updating them would be a race. */
    private static void requireRead(List<EndpointChange> changes, Map<String, StoredEndpoint> existing) {
        ofType(changes, EndpointChange.Update.class)
                .map(EndpointChange.Update::current)
                .forEach(each -> {
                    String name = each.endpoint().definition().name();
                    if (!each.equals(existing.get(name))) {
                        throw new IllegalArgumentException(
                                "endpoint %s was not read in this transaction: pass its name with the others"
                                        .formatted(name));
                    }
                });
    }

    boolean apply(List<EndpointChange> changes) {
        return backend.write(
                        () -> "write " + describe(changes),
                        session -> writeAll(session, changes) ? Optional.of(true) : Optional.empty())
                .isPresent();
    }

    /** Does not touch the document: the column {@code archived} takes precedence. */
    Optional<String> archive(String name) {
        String sql = "UPDATE endpoints SET archived = TRUE, next_at = ?, plan_source = ?, plan = ?,"
                + " revision = revision + 1, version = version + 1 WHERE name = ? AND NOT archived RETURNING id";
        return backend.write(
                () -> "archive endpoint " + name,
                session -> session.first(
                        sql,
                        row -> row.getString(1),
                        TimeColumns.fromSlot(EndpointPlanner.ARCHIVED_PLAN.at()),
                        EndpointPlanner.ARCHIVED_PLAN.source(),
                        EndpointPlanner.ARCHIVED_PLAN.planJson(),
                        SearchKey.of(name)));
    }

    private boolean writeAll(SqlSession session, List<EndpointChange> changes) throws SQLException {
        // Sorted, so that concurrent transactions lock rows in the same order and do not deadlock.
        List<Map<String, Object>> updates = ofType(changes, EndpointChange.Update.class)
                .sorted(Comparator.comparing(one -> one.updated().id()))
                .map(EndpointWrites::toRow)
                .toList();
        List<Map<String, Object>> inserts = ofType(changes, EndpointChange.Create.class)
                .map(EndpointChange.Create::endpoint)
                .sorted(Comparator.comparing(one -> one.definition().name()))
                .map(EndpointWrites::toRow)
                .toList();
        return writeAll(session, updates, inserts);
    }

    private boolean writeAll(SqlSession session, List<Map<String, Object>> updates, List<Map<String, Object>> inserts)
            throws SQLException {
        try {
            if (!updates.isEmpty()) {
                String batch = Json.write(updates);
                if (updates.size() > 1 && !backend.dialect().forUpdate().isEmpty()) {
                    session.list(lockSql, row -> row.getString(1), batch);
                }
                if (session.update(updateSql, batch) < updates.size()) {
                    return false;
                }
            }
            return inserts.isEmpty() || session.update(insertSql, Json.write(inserts)) == inserts.size();
        } catch (SQLException refused) {
            if (backend.isUniqueViolation(refused)) {
                return false;
            }
            throw refused;
        }
    }

    private static <T extends EndpointChange> Stream<T> ofType(List<EndpointChange> changes, Class<T> kind) {
        return changes.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static Map<String, Object> toRow(EndpointChange.Update change) {
        Map<String, Object> row = EndpointRowMapper.toRow(change.updated());
        row.put("r_version", change.current().version());
        return row;
    }

    private static Map<String, Object> toRow(ScheduledEndpoint endpoint) {
        Map<String, Object> row = EndpointRowMapper.toRow(endpoint);
        row.put("r_created_at", EpochMicros.of(endpoint.createdAt()));
        row.put("r_number", endpoint.nextRunNumber());
        row.put(
                "r_remedy_run",
                endpoint.lastRemediation().map(attempt -> attempt.runNumber()).orElse(0L));
        row.put(
                "r_requested",
                endpoint.lastRemediation().map(SqlRemediations::isRequested).orElse(false));
        row.put(
                "r_remedy",
                endpoint.lastRemediation()
                        .map(attempt -> Json.write(RemediationAttemptCodec.write(attempt)))
                        .orElse(""));
        return row;
    }

    private static String describe(List<EndpointChange> changes) {
        return changes.size() == 1
                ? "endpoint " + nameOf(changes.get(0))
                : changes.size() + " endpoints, the first " + nameOf(changes.get(0));
    }

    private static String nameOf(EndpointChange change) {
        ScheduledEndpoint endpoint = change instanceof EndpointChange.Create create
                ? create.endpoint()
                : ((EndpointChange.Update) change).updated();
        return endpoint.definition().name();
    }
}
