package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.Backlog;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.PageToken;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people ask of the endpoints. */
final class PeopleSide {

    private static final String SELECT = "SELECT " + EndpointRows.COLUMNS + " FROM endpoints";

    /** The place of an endpoint in a list, which it has even if it cannot be read. */
    private record Listed(String name, String id, Optional<Stored> stored) {}

    private final Backend backend;
    private final EndpointRows rows;
    private final String now;

    /** @param now the time of the database, as SQL */
    PeopleSide(Backend backend, EndpointRows rows, String now) {
        this.backend = backend;
        this.rows = rows;
        this.now = now;
    }

    Optional<Stored> named(String name) {
        return backend.read(
                () -> "find endpoint " + name,
                session ->
                        session.first(SELECT + " WHERE name = ? AND NOT archived", rows::stored, SearchKey.of(name)));
    }

    Optional<Stored> get(String id) {
        return backend.read(
                () -> "find endpoint " + id,
                session -> session.first(SELECT + " WHERE id = ?", rows::stored, SearchKey.of(id)));
    }

    Map<String, Stored> named(Collection<String> names) {
        Map<String, Stored> found = new HashMap<>();
        if (!names.isEmpty()) {
            String wanted = DocumentJson.write(names.stream()
                    .map(name -> Map.of("r_name", SearchKey.of(name)))
                    .toList());
            String sql = SELECT + " WHERE NOT archived AND name IN (SELECT r_name FROM "
                    + backend.dialect().batchSyntax().tableExpression("r_name text") + ")";
            backend.read(() -> "find endpoints", session -> session.list(sql, rows::stored, wanted))
                    .forEach(each -> found.put(each.endpoint().definition().name(), each));
        }
        return found;
    }

    Page<Stored> list(EndpointFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = SELECT + list(filter, now, token, parameters);
        parameters.add(Parts.oneMoreThan(limit));
        List<Listed> found =
                backend.read(() -> "list endpoints", session -> session.list(sql, this::listed, parameters.toArray()));
        Page<Listed> page = Parts.page(found, limit, last -> PageToken.encode(last.name(), last.id()));
        return new Page<>(
                page.items().stream().flatMap(each -> each.stored().stream()).toList(), page.nextToken());
    }

    private Listed listed(ResultSet row) throws SQLException {
        return new Listed(row.getString("name"), row.getString("id"), rows.readable(row));
    }

    private static String list(EndpointFilter filter, String now, String token, List<Object> parameters) {
        StringBuilder sql = new StringBuilder(" WHERE ").append(condition(filter, now));
        if (!token.isEmpty()) {
            sql.append(" AND (name, id) > (?, ?)");
            parameters.addAll(PageToken.decode(token, 2));
        }
        return sql.append(" ORDER BY name, id LIMIT ?").toString();
    }

    private static String condition(EndpointFilter filter, String now) {
        if (filter.state().isEmpty()) {
            return "NOT archived";
        }
        return switch (filter.state().get()) {
            case ARCHIVED -> "archived";
            case FAILING -> "NOT archived AND failures > 0";
            case PAUSED -> "NOT archived AND paused_until > 0 AND paused_until > " + now;
            case RUNNING -> "NOT archived AND lease_until > " + now;
        };
    }

    Backlog backlog() {
        String sql = "WITH moment AS MATERIALIZED (SELECT " + now + " AS at_micros) SELECT count(*),"
                + " coalesce(sum(CASE WHEN claimable_at <= at_micros THEN 1 ELSE 0 END), 0),"
                + " coalesce(sum(CASE WHEN lease_until > at_micros THEN 1 ELSE 0 END), 0)"
                + " FROM endpoints, moment WHERE NOT archived";
        return backend.read(
                () -> "count endpoints",
                session -> session.first(sql, row -> new Backlog(row.getLong(1), row.getLong(2), row.getLong(3)))
                        .orElseThrow());
    }
}
