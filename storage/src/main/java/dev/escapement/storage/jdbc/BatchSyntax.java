package dev.escapement.storage.jdbc;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Passes many rows as one parameter, a JSON array of objects, so that a batch is one statement. */
public enum BatchSyntax {
    POSTGRESQL {
        @Override
        public String tableExpression(String... columns) {
            return "json_to_recordset(CAST(? AS json)) AS batch(" + String.join(", ", columns) + ")";
        }
    },
    SQLITE {
        @Override
        public String tableExpression(String... columns) {
            String values = Arrays.stream(columns)
                    .map(column -> column.substring(0, column.indexOf(' ')))
                    .map(name -> "value ->> '$." + name + "' AS " + name)
                    .collect(Collectors.joining(", "));
            return "(SELECT " + values + " FROM json_each(?)) AS batch";
        }
    };

    /**
     * Returns the table expression after FROM; it has one parameter.
     *
     * @param columns "name type" each: the key in the JSON objects, and the type in PostgreSQL (SQLite needs none)
     */
    public abstract String tableExpression(String... columns);
}
