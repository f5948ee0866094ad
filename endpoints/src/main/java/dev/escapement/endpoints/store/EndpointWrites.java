package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Applies changes by users, all or none, with the same number of statements for one as for thousands. Notifies the
 * workers of all servers if an endpoint may be due earlier.
 */
final class EndpointWrites {

    private static final BatchColumns<EndpointChange.Update> UPDATES = EndpointRowMapper.writableColumns(
                    EndpointChange.Update::endpoint)
            .with("r_version", "bigint", change -> change.current().version());

    private static final BatchColumns<ScheduledEndpoint> INSERTS = EndpointRowMapper.writableColumns(
                    Function.<ScheduledEndpoint>identity())
            .with("r_created_at", "bigint", endpoint -> EpochMicros.of(endpoint.createdAt()))
            .with("r_number", "bigint", ScheduledEndpoint::nextRunNumber)
            .with("r_remedy_run", "bigint", lastRemediation(RemediationAttempt::runNumber, 0L))
            .with("r_remedy_requested", "boolean", lastRemediation(RemediationAttempt::isRequested, false))
            .with("r_remedy", "text", lastRemediation(EndpointRowMapper::toJson, ""));

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final String findSql;
    private final String lockSql;
    private final String updateSql;
    private final String insertSql;

    EndpointWrites(Backend backend, EndpointRowMapper rows) {
        this.backend = backend;
        this.rows = rows;
        Dialect dialect = backend.dialect();
        this.findSql = EndpointRowMapper.selectByNamesSql(dialect) + " ORDER BY id" + dialect.forUpdate();
        this.lockSql = "SELECT id FROM endpoints WHERE id IN (SELECT r_id FROM " + UPDATES.table(dialect)
                + ") ORDER BY id" + dialect.forUpdate();
        String assignments = UPDATES.names().stream()
                .filter(name -> !name.equals("r_id") && !name.equals("r_version"))
                .map(name -> name.substring(2) + " = " + name)
                .collect(Collectors.joining(", "));
        this.updateSql = "UPDATE endpoints SET " + assignments
                + ", revision = revision + 1, version = version + 1 FROM "
                + UPDATES.table(dialect) + " WHERE id = r_id AND version = r_version";
        String inserted = String.join(", ", INSERTS.names());
        this.insertSql = "INSERT INTO endpoints (" + inserted.replaceAll("\\br_", "") + ", version, revision,"
                + " lease_token, lease_worker, lease_since, lease_until, due_at, attempts, remedy_due, remedy_seen)"
                + " SELECT " + inserted + ", 1, 1, '', '', 0, 0, 0, 0, 0, 0 FROM "
                + INSERTS.table(dialect) + " WHERE true ON CONFLICT DO NOTHING";
    }

    private static <R> Function<ScheduledEndpoint, R> lastRemediation(Function<RemediationAttempt, R> value, R none) {
        return endpoint -> endpoint.lastRemediation().map(value).orElse(none);
    }

    boolean apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> edit) {
        String what = "change %d endpoints by name".formatted(names.size());
        Optional<List<EndpointChange>> applied = backend.write(() -> what, session -> {
            Map<String, StoredEndpoint> existing = EndpointRowMapper.byName(
                    session.list(findSql, rows::readStored, EndpointRowMapper.NAMES.toJson(names)));
            List<EndpointChange> changes = edit.apply(Map.copyOf(existing));
            requireRead(changes, existing);
            return writeAll(session, changes) ? Optional.of(changes) : Optional.empty();
        });
        if (applied.isPresent() && !applied.get().isEmpty()) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return applied.isPresent();
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
        boolean applied = changes.isEmpty()
                || backend.write(
                                () -> "write " + describe(changes),
                                session -> writeAll(session, changes) ? Optional.of(true) : Optional.empty())
                        .isPresent();
        if (applied) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return applied;
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
                        TimeColumns.NEVER,
                        EndpointPlanner.ARCHIVED_PLAN.source(),
                        EndpointPlanner.ARCHIVED_PLAN.planJson(),
                        SearchKey.of(name)));
    }

    private boolean writeAll(SqlSession session, List<EndpointChange> changes) throws SQLException {
        // Sorted, so that concurrent transactions lock rows in the same order and do not deadlock.
        List<EndpointChange.Update> updates = ofType(changes, EndpointChange.Update.class)
                .sorted(Comparator.comparing(one -> one.endpoint().id()))
                .toList();
        List<ScheduledEndpoint> inserts = ofType(changes, EndpointChange.Create.class)
                .map(EndpointChange.Create::endpoint)
                .sorted(Comparator.comparing(one -> one.definition().name()))
                .toList();
        try {
            if (!updates.isEmpty()) {
                String batch = UPDATES.toJson(updates);
                if (updates.size() > 1 && !backend.dialect().forUpdate().isEmpty()) {
                    session.list(lockSql, row -> row.getString(1), batch);
                }
                if (session.update(updateSql, batch) < updates.size()) {
                    return false;
                }
            }
            return inserts.isEmpty() || session.update(insertSql, INSERTS.toJson(inserts)) == inserts.size();
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

    private static String describe(List<EndpointChange> changes) {
        String first = changes.get(0).endpoint().definition().name();
        return changes.size() == 1 ? "endpoint " + first : changes.size() + " endpoints, the first " + first;
    }
}
