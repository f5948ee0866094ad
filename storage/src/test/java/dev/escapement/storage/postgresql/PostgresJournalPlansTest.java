package dev.escapement.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.PostgresTestDatabase;
import org.junit.jupiter.api.Test;

/** The cost of reading the journal does not depend on its size. */
class PostgresJournalPlansTest {

    @Test
    void readsJournalByIndexFromPosition() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            database.open();
            database.execute("INSERT INTO journal (era, xid, type, happened_at, execution, target, document)"
                    + " SELECT 1, (n / 3)::text::xid8, 'WorkflowAccepted', n, 'u', 'node/a', '{}' FROM "
                    + database.numbersTable(200_000));
            database.execute("ANALYZE journal");
            // Epoch 2: the rows above count as older than any open transaction.
            String read = database.explainQuery(PostgresJournal.READ_SQL, 1, "500", 0L, 2, 10);
            assertThat(read)
                    .contains("Index Scan using journal_pkey")
                    .contains("rows=10")
                    .doesNotContain("Sort", "Seq");
            assertThat(database.explainQuery(PostgresJournal.END_SQL, 2))
                    .contains("Index Only Scan Backward using journal_pkey")
                    .contains("rows=1")
                    .doesNotContain("Sort", "Seq");
            assertThat(database.explainQuery(PostgresJournal.HAS_UNREADABLE_SQL, 1))
                    .contains("Index Only Scan Backward using journal_pkey")
                    .doesNotContain("Sort", "Seq");
        }
    }
}
