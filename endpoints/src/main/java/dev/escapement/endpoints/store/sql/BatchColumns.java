package dev.escapement.endpoints.store.sql;

import dev.escapement.common.Json;
import dev.escapement.storage.jdbc.BatchSyntax;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Columns of the rows that one statement takes as one parameter: name, type and value of each, in one place. */
final class BatchColumns<T> {

    private record Column<T>(String name, String type, Function<T, ?> value) {}

    private final List<Column<T>> columns = new ArrayList<>();

    BatchColumns<T> with(String name, String type, Function<T, ?> value) {
        columns.add(new Column<>(name, type, value));
        return this;
    }

    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** Returns the table expression after FROM; it has one parameter, {@link #toJson}. */
    String table(BatchSyntax syntax) {
        return syntax.tableExpression(columns.stream()
                .map(column -> column.name() + " " + column.type())
                .toArray(String[]::new));
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
