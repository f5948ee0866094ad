package dev.escapement.endpoints.store.sql;

import dev.escapement.common.PageToken;
import dev.escapement.engine.port.ExecutionQueries.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Splits query results into pages. */
final class SqlPages {

    private SqlPages() {}

    /** The number of rows to query: one more than the limit shows whether there is a next page. */
    static long limitPlusOne(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
        }
        return limit + 1L;
    }

    static <T> Page<T> toPage(List<T> found, int limit, Function<T, String> token) {
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, Optional.of(token.apply(items.get(limit - 1))));
    }

    /** Parses a number in a page token. */
    static long parseNumber(String part) {
        try {
            return Long.parseLong(part);
        } catch (NumberFormatException refused) {
            throw PageToken.invalid(refused);
        }
    }
}
