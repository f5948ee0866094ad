package dev.escapement.endpoints.store;

import static dev.escapement.endpoints.store.TimeColumns.fromDuration;
import static dev.escapement.endpoints.store.TimeColumns.fromPlannedSlot;
import static dev.escapement.endpoints.store.TimeColumns.toMicrosOrNone;

import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.EpochMicros;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Columns of the rows that one statement takes as one parameter: name, type and value of each, in one place. */
final class BatchColumns<T> {

    private record Column<T>(String name, String type, Function<T, ?> value) {}

    private final List<Column<T>> columns = new ArrayList<>();

    BatchColumns<T> with(String name, String type, Function<T, ?> value) {
        columns.add(new Column<>(name, type, value));
        return this;
    }

    /** Adds the columns of the history and the next run. */
    BatchColumns<T> withPlan(Function<T, RunHistory> history, Function<T, PlannedRun> next) {
        Function<T, Optional<LastRun>> last = history.andThen(RunHistory::lastRun);
        return with("r_origin", "bigint", history.andThen(it -> EpochMicros.of(it.origin())))
                .with("r_failures", "integer", history.andThen(RunHistory::failures))
                .with("r_last_slot", "bigint", last.andThen(run -> toMicrosOrNone(run.map(LastRun::slot))))
                .with("r_last_ended", "bigint", last.andThen(run -> toMicrosOrNone(run.map(LastRun::endedAt))))
                .with(
                        "r_last_retry_after",
                        "bigint",
                        last.andThen(run -> fromDuration(run.flatMap(LastRun::retryAfter))))
                .with("r_next_at", "bigint", next.andThen(it -> fromPlannedSlot(it.at())))
                .with("r_plan_source", "text", next.andThen(it -> SafeText.storable(it.source())))
                .with("r_plan", "text", next.andThen(it -> SafeText.storable(it.planJson())));
    }

    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** Returns the table expression after FROM; it has one parameter, {@link #toJson}. */
    String table(Dialect dialect) {
        return dialect.batchTable()
                .apply(columns.stream()
                        .map(column -> column.name() + " " + column.type())
                        .toList());
    }

    String toJson(Collection<? extends T> rows) {
        return Json.write(rows.stream().map(this::toMap).toList());
    }

    private Map<String, Object> toMap(T row) {
        Map<String, Object> map = new LinkedHashMap<>();
        columns.forEach(column -> map.put(column.name(), column.value().apply(row)));
        return map;
    }
}
