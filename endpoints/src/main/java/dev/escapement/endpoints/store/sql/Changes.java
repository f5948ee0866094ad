package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.RemedyDocument;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Write;
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
final class Changes {

    private final Backend backend;
    private final EndpointRows rows;
    private final String find;
    private final String lock;
    private final String change;
    private final String create;

    Changes(Backend backend, EndpointRows rows) {
        this.backend = backend;
        this.rows = rows;
        BatchSyntax batches = backend.dialect().batchSyntax();
        this.find = "SELECT " + EndpointRows.COLUMNS + " FROM endpoints WHERE NOT archived AND name IN"
                + " (SELECT r_name FROM " + batches.tableExpression("r_name text") + ") ORDER BY id"
                + backend.dialect().forUpdate();
        this.lock = "SELECT id FROM endpoints WHERE id IN (SELECT r_id FROM " + batches.tableExpression("r_id text")
                + ") ORDER BY id" + backend.dialect().forUpdate();
        String said = columns().map(column -> column + " = r_" + column).collect(Collectors.joining(", "));
        this.change = "UPDATE endpoints SET " + said + ", revision = revision + 1, version = version + 1 FROM "
                + batches.tableExpression(with("r_version bigint")) + " WHERE id = r_id AND version = r_version";
        String columns = "id, " + columns().collect(Collectors.joining(", "));
        this.create = "INSERT INTO endpoints (" + columns + ", created_at, version, revision, number, lease_token,"
                + " lease_worker, lease_since, lease_until, due_at, attempts, remedy_due, remedy_seen, remedy_run,"
                + " remedy_requested, remedy) SELECT r_"
                + columns.replace(", ", ", r_")
                + ", r_created_at, 1, 1, r_number, '', '', 0, 0, 0, 0, 0, 0, r_remedy_run, r_requested, r_remedy FROM "
                + batches.tableExpression(with(
                        "r_created_at bigint",
                        "r_number bigint",
                        "r_remedy_run bigint",
                        "r_requested boolean",
                        "r_remedy text"))
                + " WHERE true ON CONFLICT DO NOTHING";
    }

    /** All of them without the id. */
    private static Stream<String> columns() {
        return Arrays.stream(EndpointRows.SAID).skip(1).map(typed -> typed.substring(2, typed.indexOf(' ')));
    }

    private static String[] with(String... more) {
        return Stream.concat(Arrays.stream(EndpointRows.SAID), Arrays.stream(more))
                .toArray(String[]::new);
    }

    /** Returns how many were made, or nothing if a name is taken. */
    OptionalInt apply(Collection<String> names, Function<Map<String, Stored>, List<Write>> what) {
        String wanted = DocumentJson.write(
                names.stream().map(name -> Map.of("r_name", SearchKey.of(name))).toList());
        return backend.write(() -> "change %d endpoints by name".formatted(names.size()), session -> {
                    Map<String, Stored> seen = new HashMap<>();
                    session.list(find, rows::stored, wanted)
                            .forEach(each ->
                                    seen.put(each.endpoint().definition().name(), each));
                    List<Write> writes = what.apply(Map.copyOf(seen));
                    mustHaveBeenRead(writes, seen);
                    return areMade(session, writes) ? Optional.of(writes.size()) : Optional.empty();
                })
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /** Others are not locked: somebody may be changing them. */
    private static void mustHaveBeenRead(List<Write> writes, Map<String, Stored> seen) {
        select(writes, Write.Change.class).map(Write.Change::seen).forEach(each -> {
            String name = each.endpoint().definition().name();
            if (!each.equals(seen.get(name))) {
                throw new IllegalArgumentException(
                        "endpoint %s is to be changed, but was not read here: give its name with the others"
                                .formatted(name));
            }
        });
    }

    boolean apply(List<Write> writes) {
        return backend.write(
                        () -> "write " + describe(writes),
                        session -> areMade(session, writes) ? Optional.of(true) : Optional.empty())
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
                        Times.slot(Planning.NEVER.at()),
                        Planning.NEVER.source(),
                        Planning.NEVER.story(),
                        SearchKey.of(name)));
    }

    private boolean areMade(SqlSession session, List<Write> writes) throws SQLException {
        // In one order for all, so that two who change several do not wait for each other.
        List<Map<String, Object>> changes = select(writes, Write.Change.class)
                .sorted(Comparator.comparing(one -> one.next().id()))
                .map(Changes::row)
                .toList();
        List<Map<String, Object>> creations = select(writes, Write.Create.class)
                .map(Write.Create::endpoint)
                .sorted(Comparator.comparing(one -> one.definition().name()))
                .map(Changes::row)
                .toList();
        return areMade(session, changes, creations);
    }

    private boolean areMade(SqlSession session, List<Map<String, Object>> changes, List<Map<String, Object>> creations)
            throws SQLException {
        try {
            if (!changes.isEmpty()) {
                String batch = DocumentJson.write(changes);
                if (changes.size() > 1 && !backend.dialect().forUpdate().isEmpty()) {
                    session.list(lock, row -> row.getString(1), batch);
                }
                if (session.update(change, batch) < changes.size()) {
                    return false;
                }
            }
            return creations.isEmpty() || session.update(create, DocumentJson.write(creations)) == creations.size();
        } catch (SQLException refused) {
            if (backend.isUniqueViolation(refused)) {
                return false;
            }
            throw refused;
        }
    }

    private static <T extends Write> Stream<T> select(List<Write> writes, Class<T> kind) {
        return writes.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static Map<String, Object> row(Write.Change change) {
        Map<String, Object> row = EndpointRows.said(change.next());
        row.put("r_version", change.seen().version());
        return row;
    }

    private static Map<String, Object> row(Endpoint endpoint) {
        Map<String, Object> row = EndpointRows.said(endpoint);
        row.put("r_created_at", EpochMicros.of(endpoint.createdAt()));
        row.put("r_number", endpoint.number());
        row.put("r_remedy_run", endpoint.remedy().map(remedy -> remedy.run()).orElse(0L));
        row.put("r_requested", endpoint.remedy().map(Remedies::isRequested).orElse(false));
        row.put(
                "r_remedy",
                endpoint.remedy()
                        .map(remedy -> DocumentJson.write(RemedyDocument.write(remedy)))
                        .orElse(""));
        return row;
    }

    private static String describe(List<Write> writes) {
        return writes.size() == 1
                ? "endpoint " + name(writes.get(0))
                : writes.size() + " endpoints, the first " + name(writes.get(0));
    }

    private static String name(Write write) {
        Endpoint endpoint = write instanceof Write.Create create ? create.endpoint() : ((Write.Change) write).next();
        return endpoint.definition().name();
    }
}
