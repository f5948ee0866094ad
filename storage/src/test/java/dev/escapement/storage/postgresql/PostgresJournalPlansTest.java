package dev.escapement.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.PostgresTestDatabase;
import org.junit.jupiter.api.Test;

/** Reading the journal costs the same with few records and with many. */
class PostgresJournalPlansTest {

    @Test
    void readsJournalByIndexFromPosition() throws Exception {
        try (PostgresTestDatabase world = PostgresTestDatabase.create()) {
            world.open();
            world.execute("INSERT INTO journal (era, xid, type, happened_at, execution, target, document)"
                    + " SELECT 1, (n / 3)::text::xid8, 'WorkflowAccepted', n, 'u', 'node/a', '{}' FROM "
                    + world.numbersTable(200_000));
            world.execute("ANALYZE journal");
            // As in a database whose transactions have counted further than those of the rows above.
            String read = world.explainQuery(PostgresJournal.READ_SQL, 1, "500", 0L, 2, 10);
            assertThat(read)
                    .contains("Index Scan using journal_pkey")
                    .contains("rows=10")
                    .doesNotContain("Sort", "Seq");
            assertThat(world.explainQuery(PostgresJournal.END_SQL, 2))
                    .contains("Index Only Scan Backward using journal_pkey")
                    .contains("rows=1")
                    .doesNotContain("Sort", "Seq");
            assertThat(world.explainQuery(PostgresJournal.HAS_UNREADABLE_SQL, 1))
                    .contains("Index Only Scan Backward using journal_pkey")
                    .doesNotContain("Sort", "Seq");
        }
    }
}
