package dev.escapement.storage.jdbc;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Many rows as one parameter, a JSON array of objects, so that the number of statements does not depend on theirs. */
public enum BatchSyntax {
    /** The way of PostgreSQL. */
    POSTGRESQL {
        @Override
        public String tableExpression(String... columns) {
            return "json_to_recordset(CAST(? AS json)) AS batch(" + String.join(", ", columns) + ")";
        }
    },
    /** The way of SQLite, which needs no types. */
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
     * What stands after FROM, with one parameter.
     *
     * @param columns each with its name, which is the key in the objects, and its type in PostgreSQL
     */
    public abstract String tableExpression(String... columns);
}
