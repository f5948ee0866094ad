package dev.escapement.endpoints.store.sql;

import dev.escapement.common.Json;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointBacklog;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.PageToken;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds, lists and counts endpoints. */
final class EndpointQueries {

    private static final String SELECT = "SELECT " + EndpointRowMapper.COLUMNS + " FROM endpoints";

    /** An endpoint in a list; an unreadable one still has a place for the page token. */
    private record ListedEndpoint(String name, String id, Optional<StoredEndpoint> stored) {}

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final String nowSql;

    /** @param nowSql SQL expression for the current time in microseconds */
    EndpointQueries(Backend backend, EndpointRowMapper rows, String nowSql) {
        this.backend = backend;
        this.rows = rows;
        this.nowSql = nowSql;
    }

    Optional<StoredEndpoint> findByName(String name) {
        return backend.read(
                () -> "find endpoint " + name,
                session -> session.first(
                        SELECT + " WHERE name = ? AND NOT archived", rows::readStored, SearchKey.of(name)));
    }

    Optional<StoredEndpoint> get(String id) {
        return backend.read(
                () -> "find endpoint " + id,
                session -> session.first(SELECT + " WHERE id = ?", rows::readStored, SearchKey.of(id)));
    }

    Map<String, StoredEndpoint> findByName(Collection<String> names) {
        Map<String, StoredEndpoint> found = new HashMap<>();
        if (!names.isEmpty()) {
            String batch = Json.write(names.stream()
                    .map(name -> Map.of("r_name", SearchKey.of(name)))
                    .toList());
            String sql = SELECT + " WHERE NOT archived AND name IN (SELECT r_name FROM "
                    + backend.dialect().batchSyntax().tableExpression("r_name text") + ")";
            backend.read(() -> "find endpoints", session -> session.list(sql, rows::readStored, batch))
                    .forEach(each -> found.put(each.endpoint().definition().name(), each));
        }
        return found;
    }

    Page<StoredEndpoint> list(EndpointFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = SELECT + listClause(filter, nowSql, token, parameters);
        parameters.add(SqlPages.limitPlusOne(limit));
        List<ListedEndpoint> found = backend.read(
                () -> "list endpoints", session -> session.list(sql, this::readListed, parameters.toArray()));
        Page<ListedEndpoint> page = SqlPages.toPage(found, limit, last -> PageToken.encode(last.name(), last.id()));
        return new Page<>(
                page.items().stream().flatMap(each -> each.stored().stream()).toList(), page.nextToken());
    }

    private ListedEndpoint readListed(ResultSet row) throws SQLException {
        return new ListedEndpoint(row.getString("name"), row.getString("id"), rows.tryReadStored(row));
    }

    private static String listClause(EndpointFilter filter, String nowSql, String token, List<Object> parameters) {
        StringBuilder sql = new StringBuilder(" WHERE ").append(condition(filter, nowSql));
        if (!token.isEmpty()) {
            sql.append(" AND (name, id) > (?, ?)");
            parameters.addAll(PageToken.decode(token, 2));
        }
        return sql.append(" ORDER BY name, id LIMIT ?").toString();
    }

    private static String condition(EndpointFilter filter, String nowSql) {
        if (filter.state().isEmpty()) {
            return "NOT archived";
        }
        return switch (filter.state().get()) {
            case ARCHIVED -> "archived";
            case FAILING -> "NOT archived AND failures > 0";
            case PAUSED -> "NOT archived AND paused_until > 0 AND paused_until > " + nowSql;
            case RUNNING -> "NOT archived AND lease_until > " + nowSql;
        };
    }

    EndpointBacklog backlog() {
        String sql = "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros) SELECT count(*),"
                + " coalesce(sum(CASE WHEN claimable_at <= at_micros THEN 1 ELSE 0 END), 0),"
                + " coalesce(sum(CASE WHEN lease_until > at_micros THEN 1 ELSE 0 END), 0)"
                + " FROM endpoints, moment WHERE NOT archived";
        return backend.read(
                () -> "count endpoints",
                session -> session.first(
                                sql, row -> new EndpointBacklog(row.getLong(1), row.getLong(2), row.getLong(3)))
                        .orElseThrow());
    }
}
