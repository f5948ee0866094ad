package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.RemediationAttemptCodec;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointChange;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.DocumentJson;
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

/** Changes by people, all or none of a list, in as many statements for one as for thousands. */
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
        String said = writableColumns().map(column -> column + " = r_" + column).collect(Collectors.joining(", "));
        this.updateSql = "UPDATE endpoints SET " + said + ", revision = revision + 1, version = version + 1 FROM "
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

    /** All of them without the id. */
    private static Stream<String> writableColumns() {
        return Arrays.stream(EndpointRowMapper.WRITABLE_COLUMNS)
                .skip(1)
                .map(typed -> typed.substring(2, typed.indexOf(' ')));
    }

    private static String[] withColumns(String... more) {
        return Stream.concat(Arrays.stream(EndpointRowMapper.WRITABLE_COLUMNS), Arrays.stream(more))
                .toArray(String[]::new);
    }

    /** Returns how many were made, or nothing if a name is taken. */
    OptionalInt apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> what) {
        String wanted = DocumentJson.write(
                names.stream().map(name -> Map.of("r_name", SearchKey.of(name))).toList());
        return backend.write(() -> "change %d endpoints by name".formatted(names.size()), session -> {
                    Map<String, StoredEndpoint> seen = new HashMap<>();
                    session.list(findSql, rows::readStored, wanted)
                            .forEach(each ->
                                    seen.put(each.endpoint().definition().name(), each));
                    List<EndpointChange> writes = what.apply(Map.copyOf(seen));
                    requireRead(writes, seen);
                    return writeAll(session, writes) ? Optional.of(writes.size()) : Optional.empty();
                })
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /** Others are not locked: somebody may be changing them. */
    private static void requireRead(List<EndpointChange> writes, Map<String, StoredEndpoint> seen) {
        ofType(writes, EndpointChange.Update.class)
                .map(EndpointChange.Update::current)
                .forEach(each -> {
                    String name = each.endpoint().definition().name();
                    if (!each.equals(seen.get(name))) {
                        throw new IllegalArgumentException(
                                "endpoint %s is to be changed, but was not read here: give its name with the others"
                                        .formatted(name));
                    }
                });
    }

    boolean apply(List<EndpointChange> writes) {
        return backend.write(
                        () -> "write " + describe(writes),
                        session -> writeAll(session, writes) ? Optional.of(true) : Optional.empty())
                .isPresent();
    }

    /** The document stays as it is: that it is archived is in its column. */
    Optional<String> archive(String name) {
        String sql = "UPDATE endpoints SET archived = TRUE, next_at = ?, plan_source = ?, plan = ?,"
                + " revision = revision + 1, version = version + 1 WHERE name = ? AND NOT archived RETURNING id";
        return backend.write(
                () -> "archive endpoint " + name,
                session -> session.first(
                        sql,
                        row -> row.getString(1),
                        TimeColumns.slot(EndpointPlanner.ARCHIVED_PLAN.at()),
                        EndpointPlanner.ARCHIVED_PLAN.source(),
                        EndpointPlanner.ARCHIVED_PLAN.planJson(),
                        SearchKey.of(name)));
    }

    private boolean writeAll(SqlSession session, List<EndpointChange> writes) throws SQLException {
        // In one order for all, so that two who change several do not wait for each other.
        List<Map<String, Object>> changes = ofType(writes, EndpointChange.Update.class)
                .sorted(Comparator.comparing(one -> one.updated().id()))
                .map(EndpointWrites::toRow)
                .toList();
        List<Map<String, Object>> creations = ofType(writes, EndpointChange.Create.class)
                .map(EndpointChange.Create::endpoint)
                .sorted(Comparator.comparing(one -> one.definition().name()))
                .map(EndpointWrites::toRow)
                .toList();
        return writeAll(session, changes, creations);
    }

    private boolean writeAll(SqlSession session, List<Map<String, Object>> changes, List<Map<String, Object>> creations)
            throws SQLException {
        try {
            if (!changes.isEmpty()) {
                String batch = DocumentJson.write(changes);
                if (changes.size() > 1 && !backend.dialect().forUpdate().isEmpty()) {
                    session.list(lockSql, row -> row.getString(1), batch);
                }
                if (session.update(updateSql, batch) < changes.size()) {
                    return false;
                }
            }
            return creations.isEmpty() || session.update(insertSql, DocumentJson.write(creations)) == creations.size();
        } catch (SQLException refused) {
            if (backend.isUniqueViolation(refused)) {
                return false;
            }
            throw refused;
        }
    }

    private static <T extends EndpointChange> Stream<T> ofType(List<EndpointChange> writes, Class<T> kind) {
        return writes.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static Map<String, Object> toRow(EndpointChange.Update change) {
        Map<String, Object> row = EndpointRowMapper.toRow(change.updated());
        row.put("r_version", change.current().version());
        return row;
    }

    private static Map<String, Object> toRow(Endpoint endpoint) {
        Map<String, Object> row = EndpointRowMapper.toRow(endpoint);
        row.put("r_created_at", EpochMicros.of(endpoint.createdAt()));
        row.put("r_number", endpoint.nextRunNumber());
        row.put(
                "r_remedy_run",
                endpoint.lastRemediation().map(remedy -> remedy.runNumber()).orElse(0L));
        row.put(
                "r_requested",
                endpoint.lastRemediation().map(SqlRemediations::isRequested).orElse(false));
        row.put(
                "r_remedy",
                endpoint.lastRemediation()
                        .map(remedy -> DocumentJson.write(RemediationAttemptCodec.write(remedy)))
                        .orElse(""));
        return row;
    }

    private static String describe(List<EndpointChange> writes) {
        return writes.size() == 1
                ? "endpoint " + nameOf(writes.get(0))
                : writes.size() + " endpoints, the first " + nameOf(writes.get(0));
    }

    private static String nameOf(EndpointChange write) {
        Endpoint endpoint = write instanceof EndpointChange.Create create
                ? create.endpoint()
                : ((EndpointChange.Update) write).updated();
        return endpoint.definition().name();
    }
}
