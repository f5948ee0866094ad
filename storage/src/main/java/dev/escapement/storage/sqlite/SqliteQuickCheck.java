package dev.escapement.storage.sqlite;

import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteErrorCode;

/**
 * Looks for damaged pages before a database is used, for a limited time: the check reads the whole file. What it does
 * not find in that time is reported when it is read.
 */
record SqliteQuickCheck(SqliteFile file, Duration maxDuration, LongSupplier ticker) {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteQuickCheck.class);
    private static final int STEPS_BETWEEN_CLOCK_READS = 1_000;

    /** @throws UnusableDatabaseException if a page is damaged */
    void run() throws SQLException {
        long start = ticker.getAsLong();
        Optional<String> result;
        try (Connection connection = file.dataSource().getConnection()) {
            ProgressHandler.setHandler(connection, STEPS_BETWEEN_CLOCK_READS, new ProgressHandler() {
                @Override
                protected int progress() {
                    return isTimeUp(start) ? 1 : 0;
                }
            });
            result = firstProblem(connection);
        } catch (SQLException failed) {
            if (SqliteErrorClassifier.primaryCode(failed) != SQLiteErrorCode.SQLITE_INTERRUPT) {
                throw failed;
            }
            result = Optional.empty();
        }
        if (isTimeUp(start)) {
            LOG.info("Check of {} was ended after {} s: the file is large", file, maxDuration.toSeconds());
        } else if (result.isPresent()) {
            throw new UnusableDatabaseException(
                    "cannot use %s: it is damaged: restore it from a backup (%s)".formatted(file, result.get()));
        }
    }

    private boolean isTimeUp(long start) {
        return ticker.getAsLong() - start >= maxDuration.toNanos();
    }

    private static Optional<String> firstProblem(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA quick_check(1)")) {
            return row.next() ? Optional.of(row.getString(1)).filter(text -> !text.equals("ok")) : Optional.empty();
        }
    }
}
